#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "almanac";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "moon",
  { description: "Say the phase of the moon", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "moon done",
);

await server.connect(new StdioServerTransport());
