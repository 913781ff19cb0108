#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "bees";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "count_bees",
  { description: "Count the bees", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "count_bees done",
);

await server.connect(new StdioServerTransport());
