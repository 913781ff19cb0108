#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "weaver";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "cloth",
  { description: "Measure the cloth", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "cloth done",
);

await server.connect(new StdioServerTransport());
