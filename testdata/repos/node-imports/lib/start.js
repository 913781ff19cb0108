import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

export async function start() {
  const name = "forge";
  const server = new McpServer({ name, version: "1.0.0" });

  server.registerTool(
    "strike",
    { description: "Strike the iron", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
    async () => "strike done",
  );

  await server.connect(new StdioServerTransport());
}
