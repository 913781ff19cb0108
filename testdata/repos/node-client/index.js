#!/usr/bin/env node
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "inspector", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.argv[2] }));
console.log(await client.listTools());
