#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "tower";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "ring",
  { description: "Ring the bell", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "ring done",
);

await server.connect(new StdioServerTransport());
