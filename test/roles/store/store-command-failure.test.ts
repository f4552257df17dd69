import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { commandFailure } from "../../../src/roles/store/store-command-failure.ts";
import { DEFAULT_DEADLINES } from "../../../src/runtime/database/deadlines.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { copyStore } from "../../../src/runtime/upkeep/store-copy.ts";
import { newStoreFolder } from "../../support/memory.ts";
import { withScope } from "../../support/scope.ts";

describe("a command of the store that a database in trouble has stopped (R-X330)", () => {
  withScope((closeLater) => {
    it("says so in one line where PostgreSQL crashes, which ends the connection without a word", async () => {
      const folder = await newStoreFolder("gh-failure-");
      closeLater(() => rm(folder, { recursive: true }));
      const from = join(folder, "gatehouse.sqlite");
      await openSqlite(from).close();
      const crashing = createServer((socket) => socket.once("data", () => socket.end()));
      await new Promise<void>((resolve) => crashing.listen(0, "127.0.0.1", resolve));
      closeLater(() => new Promise<void>((resolve) => crashing.close(() => resolve())));
      const { port } = crashing.address() as AddressInfo;
      const to = `postgresql://gatehouse@127.0.0.1:${port}/gatehouse`;

      const met: unknown = await copyStore({ from, to, storeId: "store_1", deadlines: DEFAULT_DEADLINES }).catch(
        (error: unknown) => error,
      );

      expect(met).toMatchObject({ message: "Connection terminated unexpectedly" });
      expect(commandFailure("copy", met)).toMatchObject({
        name: "CannotStart",
        message: expect.stringMatching(
          /^gatehouse store copy did not finish \(away: .*\)\. Make its server reachable, .* Then run the command again\./,
        ),
      });
    });

    it("ends with 65 where the store is damaged, which no repeating cures (R-X417)", () => {
      const damaged = Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });
      expect(commandFailure("migrate", damaged)).toMatchObject({ exitCode: 65 });
      const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      expect(commandFailure("migrate", full)).toMatchObject({ exitCode: 1 });
    });
  });
});
