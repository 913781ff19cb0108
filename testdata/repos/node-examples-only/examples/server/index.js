#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "sluice";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "open",
  { description: "Open the sluice", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "open done",
);

await server.connect(new StdioServerTransport());
