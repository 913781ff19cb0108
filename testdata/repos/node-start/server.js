import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "bakery";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "list_loaves",
  { description: "List the loaves", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "list_loaves done",
);

await server.connect(new StdioServerTransport());
