#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "birds";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "count_birds",
  { description: "Count the birds", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "count_birds done",
);

await server.connect(new StdioServerTransport());
