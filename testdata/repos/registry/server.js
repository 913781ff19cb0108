#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "granary";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "grain",
  { description: "Say how much grain there is", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "grain done",
);

await server.connect(new StdioServerTransport());
