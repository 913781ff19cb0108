#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "ledger";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "balance",
  { description: "Say the balance", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "balance done",
);

await server.connect(new StdioServerTransport());
