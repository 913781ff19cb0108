export class StreamableHTTPServerTransport {
  static async handle(info, request, response) {
    if (request.method !== "POST") return response.writeHead(405, { Allow: "POST" }).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const results = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: info }),
      ping: () => ({}),
      "tools/list": () => ({ tools: [] }),
    };
    const reply = results[method]
      ? { result: results[method]() }
      : { error: { code: -32601, message: `unknown method ${method}` } };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  }
}
