import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "finch";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "seeds",
  { description: "Count the seeds", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "seeds done",
);

await server.connect(new StdioServerTransport());
