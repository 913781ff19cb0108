#!/usr/bin/env bun
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "baker";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "bread",
  { description: "List the bread", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "bread done",
);

await server.connect(new StdioServerTransport());
