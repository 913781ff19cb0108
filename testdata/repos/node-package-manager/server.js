#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "potter";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "pots",
  { description: "Count the pots", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "pots done",
);

await server.connect(new StdioServerTransport());
