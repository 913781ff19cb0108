#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name: string = "cellar";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "bottles",
  { description: "Count the bottles", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "bottles done",
);

await server.connect(new StdioServerTransport());
