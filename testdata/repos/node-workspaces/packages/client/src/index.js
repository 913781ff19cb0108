import { Client } from "@modelcontextprotocol/sdk/client/index.js";

new Client({ name: "orchard-client", version: "1.0.0" });
