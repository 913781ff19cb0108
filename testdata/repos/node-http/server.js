import { createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const port = Number(process.env.PORT ?? 3000);
createServer(async (request, response) => {
  if (new URL(request.url, "http://localhost").pathname !== "/mcp") return response.writeHead(404).end();
  await StreamableHTTPServerTransport.handle({ name: "canal", version: "1.0.0" }, request, response);
}).listen(port, "127.0.0.1", () => console.error(`listening on ${port}`));
