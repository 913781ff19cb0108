import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "loom";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "threads",
  { description: "Count the threads", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "threads done",
);

await server.connect(new StdioServerTransport());
