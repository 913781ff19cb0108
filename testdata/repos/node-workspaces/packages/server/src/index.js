#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { trees } from "@orchard/core";

const name = "orchard";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "trees",
  { description: "List the trees", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => trees.join(", "),
);

await server.connect(new StdioServerTransport());
