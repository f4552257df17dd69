import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../support/gatehouse.ts";
import { startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

describe("a signal while a process starts (R-X386)", () => {
  withScope((closeLater) => {
    it.each<NodeJS.Signals>(["SIGTERM", "SIGINT", "SIGHUP"])(
      "%s ends it with 0, and leaves nothing",
      async (signal) => {
        // A database that takes connections and says nothing: the start waits for it.
        const sockets: Socket[] = [];
        const database = createServer((socket) => void sockets.push(socket));
        await new Promise<void>((resolve) => database.listen(0, "127.0.0.1", resolve));
        closeLater(async () => {
          for (const socket of sockets) socket.destroy();
          database.close();
        });
        const dataDirectory = mkdtempSync(join(tmpdir(), "gh-"));
        closeLater(async () => rmSync(dataDirectory, { recursive: true }));
        const managementPort = await freePort();
        const flags = {
          ...testFlags(await freePort(), managementPort, dataDirectory),
          "store-url": `postgresql://gatehouse@127.0.0.1:${(database.address() as AddressInfo).port}/gatehouse`,
          "store-connect-timeout-ms": "60000",
          "master-keys": TEST_MASTER_KEY,
        };
        const words = ["serve", ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
        const program = startProgram(words, managementPort);
        closeLater(async () => void program.child.kill("SIGKILL"));
        await once(database, "connection");

        expect([await program.end(signal), program.output(), readdirSync(dataDirectory)]).toEqual([0, "", []]);
      },
      20_000,
    );
  });
});
