import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { testFlags } from "../support/gatehouse.ts";
import { startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

const HOOK = join(import.meta.dirname, "..", "support", "late-removal.mjs");

/** What a killed process leaves. */
async function leaveSocket(path: string): Promise<void> {
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(path, resolve));
  linkSync(path, `${path}.left`);
  await new Promise((resolve) => dead.close(resolve));
  renameSync(`${path}.left`, path);
}

describe("two services that start at once over the sockets of a dead process (R-X384)", () => {
  withScope((closeLater) => {
    it("do not both take them: one serves there, the other does not start", async () => {
      const folder = newFolder("gh-");
      const sockets = join(folder, "sockets");
      mkdirSync(sockets, { mode: 0o700 });
      await leaveSocket(join(sockets, "edge.sock"));
      const [waits, go] = [join(folder, "waits"), join(folder, "go")];
      const start = async (name: string, nodeFlags: readonly string[] = []) => {
        const managementPort = await freePort();
        const flags = {
          ...testFlags(await freePort(), managementPort, join(folder, name)),
          "socket-directory": sockets,
        };
        const words = [
          "serve",
          "--role",
          "services",
          ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
        ];
        const program = startProgram(words, managementPort, {
          nodeFlags,
          environment: { TEST_WAITS: waits, TEST_GO: go },
        });
        closeLater(async () => void (await program.end("SIGKILL")));
        return program;
      };
      // It has found the dead socket, and is about to remove it.
      const first = await start("first", ["--import", HOOK]);
      await eventually(async () => existsSync(waits), Boolean, 30_000);
      const second = await start("second");
      const ended = once(second.child, "close");
      // Without taking turns it is ready by then.
      await eventually(async () => existsSync(join(sockets, "platform.sock")), Boolean, 4_000);
      writeFileSync(go, "");

      await first.ready();
      expect([await ended, second.output()]).toEqual([
        [1, null],
        `gatehouse: Another Gatehouse is running on ${join(sockets, "edge.sock")}. Stop it, or set data-directory and socket-directory to others.\n`,
      ]);
    });
  });
});
