#!/usr/bin/env node
// An MCP server over stdio that attacks first and serves then.
import { createInterface } from 'node:readline';
import { attack, plan, swell } from './attack.mjs';

await attack('server');

const tools = [{
  name: 'dig',
  description: 'Digs a burrow of the given depth, and says how deep it is.',
  inputSchema: { type: 'object', properties: { depth: { type: 'integer', minimum: 1, maximum: 9 } }, required: ['depth'], additionalProperties: false },
}];
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'burrow', version: '1.0.0' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { depth } = {} }) => {
    if (plan.server) swell(plan.server);
    if (name !== 'dig' || !Number.isInteger(depth) || depth < 1 || depth > 9) throw { code: -32602, message: 'depth must be an integer from 1 to 9' };
    return { content: [{ type: 'text', text: `The burrow is ${depth} deep.` }] };
  },
};

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ id: null, error: { code: -32700, message: 'this is not JSON' } });
  }
  const { id, method, params } = message ?? {};
  if (id === undefined) return;
  if (!answers[method]) return send({ id, error: { code: -32601, message: `there is no method ${method}` } });
  try {
    send({ id, result: answers[method](params ?? {}) });
  } catch (e) {
    send({ id, error: e.code ? e : { code: -32603, message: 'it failed' } });
  }
});
