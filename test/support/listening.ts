import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Closer } from "./scope.ts";

/** Has a server listen on this machine until it is closed with its connections. @returns its address, for example `http://127.0.0.1:41234`. */
export async function listening(server: Server, closeLater: (closer: Closer) => void): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
