#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "tanner";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "hides",
  { description: "Count the hides", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "hides done",
);

await server.connect(new StdioServerTransport());
