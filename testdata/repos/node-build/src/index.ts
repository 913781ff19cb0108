#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name: string = "quarry";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "stones",
  { description: "Count the stones", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "stones done",
);

await server.connect(new StdioServerTransport());
