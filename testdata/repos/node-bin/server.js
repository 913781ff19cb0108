#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "tide";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "next_tide",
  { description: "Say when the next tide comes", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "next_tide done",
);

await server.connect(new StdioServerTransport());
