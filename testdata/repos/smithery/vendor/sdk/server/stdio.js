import { createInterface } from "node:readline";

export class StdioServerTransport {
  start() {
    createInterface({ input: process.stdin }).on("line", (line) => this.onmessage(JSON.parse(line)));
  }

  send(message) {
    process.stdout.write(JSON.stringify(message) + "\n");
  }
}
