#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "arrivals";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "list_arrivals",
  { description: "List the arrivals", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "list_arrivals done",
);

await server.connect(new StdioServerTransport());
