#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "cooper";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "barrels",
  { description: "Count the barrels", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "barrels done",
);

await server.connect(new StdioServerTransport());
