import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { carrierTo } from "../../src/roles/carriers.ts";
import { storePath } from "../../src/runtime/database/store-file.ts";
import { eventually } from "../support/eventually.ts";
import { startGatehouse } from "../support/gatehouse.ts";
import { newStoreFolder } from "../support/memory.ts";
import { withScope } from "../support/scope.ts";

/** Adds a table that takes SQLite some seconds to check, as gigabytes would. */
function slowToCheck(path: string): void {
  const handle = new BetterSqlite3(path);
  try {
    handle.pragma("ignore_check_constraints = on");
    handle.exec("create table slow (number integer check (length(hex(zeroblob(number))) > 0))");
    const insert = handle.prepare("insert into slow values (10000000)");
    for (let row = 0; row < 60; row++) insert.run();
  } finally {
    handle.close();
  }
}

describe("a stop while a backup is written (R-X395)", () => {
  withScope((closeLater) => {
    it("gives the backup up, says so, and leaves nothing of it", async () => {
      const folder = mkdtempSync(join(tmpdir(), "gh-backup-"));
      closeLater(async () => rmSync(folder, { recursive: true }));
      const dataDirectory = await newStoreFolder("gh-");
      closeLater(async () => rmSync(dataDirectory, { recursive: true }));
      const earlier = await startGatehouse({ dataDirectory });
      await earlier.stop();
      slowToCheck(storePath(dataDirectory));
      const gatehouse = await startGatehouse({ dataDirectory });
      const operator = carrierTo(join(dataDirectory, "sockets"), "operator");
      closeLater(() => operator.close());
      const backup = operator
        .connect(StoreService)
        .backUp({ path: join(folder, "monday.sqlite") }, { deadlineMs: 60_000 })
        .catch((error: unknown) => error);
      await eventually(
        async () => readdirSync(folder),
        (names) => names.some((name) => name.endsWith(".unfinished")),
      );

      await gatehouse.stop();

      expect(await backup).toMatchObject({ code: "CANCELLED", message: "The work on the store was given up." });
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
