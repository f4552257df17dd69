import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Floor: node:http that answers with ready bytes, as many as the first argument says. */
const body = Buffer.alloc(Number(process.argv[2] ?? 100), "x");
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.on("SIGTERM", () => process.exit(0));
