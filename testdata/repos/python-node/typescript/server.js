#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "rook";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "count",
  { description: "Count them", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "count done",
);

await server.connect(new StdioServerTransport());
