import { createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

createServer(async (request, response) => {
  if (new URL(request.url, "http://localhost").pathname !== "/mcp") return response.writeHead(404).end();
  await StreamableHTTPServerTransport.handle({ name: "lock", version: "1.0.0" }, request, response);
}).listen(18417, "127.0.0.1");
