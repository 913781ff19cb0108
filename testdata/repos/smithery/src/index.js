#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "sundial";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "shadow",
  { description: "Say where the shadow is", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "shadow done",
);

await server.connect(new StdioServerTransport());
