#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "lantern";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "light",
  { description: "Light the lantern", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "light done",
);

await server.connect(new StdioServerTransport());
