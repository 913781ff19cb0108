import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "beacon";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "signal",
  { description: "Send a signal", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "signal done",
);

await server.connect(new StdioServerTransport());
