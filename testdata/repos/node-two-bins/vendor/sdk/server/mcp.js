export class McpServer {
  constructor(info) {
    this.info = info;
    this.tools = new Map();
  }

  registerTool(name, config, run) {
    this.tools.set(name, { config, run });
  }

  async connect(transport) {
    transport.onmessage = (message) => this.handle(message, (reply) => transport.send(reply));
    transport.start();
  }

  async handle({ id, method, params }, send) {
    if (id === undefined) return;
    const result = (value) => send({ jsonrpc: "2.0", id, result: value });
    const error = (code, message) => send({ jsonrpc: "2.0", id, error: { code, message } });
    switch (method) {
      case "initialize":
        return result({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: this.info });
      case "ping":
        return result({});
      case "tools/list":
        return result({ tools: [...this.tools].map(([name, { config }]) => ({ name, ...config })) });
      case "tools/call": {
        const tool = this.tools.get(params.name);
        if (!tool) return error(-32602, `unknown tool ${params.name}`);
        return result({ content: [{ type: "text", text: await tool.run(params.arguments ?? {}) }] });
      }
      default:
        return error(-32601, `unknown method ${method}`);
    }
  }
}
