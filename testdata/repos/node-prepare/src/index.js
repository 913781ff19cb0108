#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "mill";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "flour",
  { description: "Say how much flour there is", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "flour done",
);

await server.connect(new StdioServerTransport());
