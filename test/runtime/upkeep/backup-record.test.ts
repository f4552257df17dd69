import { join } from "node:path";
import { sql } from "kysely";
import { StoreService } from "../../../generated/proto/gatehouse/store/v1/store.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { stageBackup } from "../../../src/runtime/upkeep/staged-backup.ts";
import { findIdentity, type IdentityTables, identifyStore } from "../../../src/runtime/upkeep/store-identity.ts";
import { tableSizes } from "../../../src/runtime/upkeep/table-sizes.ts";
import { upkeep } from "../../../src/runtime/upkeep/upkeep-service.ts";
import { createWake } from "../../../src/runtime/wake/wake.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { standingClock } from "../../support/clock.ts";
import { newFolder } from "../../support/folder.ts";
import { patiently } from "../../support/patient-calls.ts";
import { withScope } from "../../support/scope.ts";
import { silentLog } from "../../support/silent-log.ts";

describe("the record of a backup (R-X246)", () => {
  withScope((closeLater) => {
    it("may be refused: then the command says that the backup is whole, and what was not recorded", async () => {
      const directory = newFolder("gh-record-");
      const store = openSqlite(storePath(directory));
      closeLater(() => store.close());
      await migrate(store, [runtimeMigrations], new Date(0));
      const clock = standingClock();
      const shared = { store, clock, sweepClock: clock, random: systemRandom, wake: createWake(), log: silentLog };
      const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
      const db = store.view<IdentityTables>();
      const identity = await identifyStore(db, { sealer, sealed: [], random: systemRandom, now: clock.now() });
      const path = storePath(directory);
      const sizes = tableSizes({ ...shared, metrics: createMetrics(), storePath: path, upkeep: [] });
      const { registration, stop } = upkeep({ ...shared, identity, storePath: path, sizes, sealer, sealed: [] });
      closeLater(stop);
      const carrier = inProcessCarrier({
        peer: "operator",
        registrations: [registration],
        interceptors: quietBoundary(),
      });
      const operator = patiently(carrier.connect(StoreService));
      const backup = join(directory, "monday.sqlite");
      await sql`create trigger no_audit before insert on audit_entries begin select raise(abort, 'none'); end`.execute(
        store.view(),
      );

      const answer = operator.backUp({ path: backup });

      await expect(answer).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "backup_not_recorded",
        message: `The backup ${backup} is whole, and so is the digest beside it: keep both. Only its record was not written (SQLITE_CONSTRAINT_TRIGGER): neither the audit log nor gatehouse store status has this backup.`,
      });
      const staged = await stageBackup(backup, directory);
      expect(staged.hasDigest).toBe(true);
      staged.remove();
      expect((await findIdentity(db))?.backedUpAt).toBeUndefined();
    });
  });
});
