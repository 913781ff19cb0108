import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "vault";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "list_vault",
  { description: "List the vault", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "list_vault done",
);

await server.connect(new StdioServerTransport());
