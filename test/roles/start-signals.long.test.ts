import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../support/gatehouse.ts";
import { startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

const HOOK = join(import.meta.dirname, "..", "support", "late-loading.mjs");

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
        const dataDirectory = newFolder("gh-");
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
      // Below the time for which the start waits for the database.
      50_000,
    );

    it("ends it with 0 while it is loaded, since the first process of a container would go on", async () => {
      const folder = newFolder("gh-");
      const [waits, go] = [join(folder, "waits"), join(folder, "go")];
      const managementPort = await freePort();
      const flags = testFlags(await freePort(), managementPort, join(folder, "data"));
      const words = ["serve", ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
      const program = startProgram(words, managementPort, {
        nodeFlags: ["--import", HOOK],
        environment: { TEST_WAITS: waits, TEST_GO: go },
      });
      closeLater(async () => void program.child.kill("SIGKILL"));
      await eventually(async () => existsSync(waits), Boolean);
      const ended = program.end("SIGTERM");
      writeFileSync(go, "");

      expect([await ended, program.output()]).toEqual([0, ""]);
    });
  });
});
