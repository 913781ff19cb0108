import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "compass";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "north",
  { description: "Say where north is", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "north done",
);

await server.connect(new StdioServerTransport());
