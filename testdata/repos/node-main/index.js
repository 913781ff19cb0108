import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const name = "kiln";
const server = new McpServer({ name, version: "1.0.0" });

server.registerTool(
  "temperature",
  { description: "Say how hot the kiln is", inputSchema: { type: "object", properties: {}, additionalProperties: false } },
  async () => "temperature done",
);

await server.connect(new StdioServerTransport());
