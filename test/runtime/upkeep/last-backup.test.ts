import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { measureLastBackup } from "../../../src/runtime/upkeep/last-backup.ts";
import { type IdentityTables, identifyStore, recordBackup } from "../../../src/runtime/upkeep/store-identity.ts";
import { onSqlite } from "../../support/stores.ts";

onSqlite((open) => {
  it("the metrics say when the last backup was made, and 0 before the first", async () => {
    const { store } = await open();
    const metrics = createMetrics();
    measureLastBackup(store, metrics);
    const shown = async () => {
      const [measured] = (await metrics.getMetricsAsJSON()).filter(({ name }) => name.includes("last_backup"));
      return measured?.values.map(({ value }) => value);
    };
    expect(await shown()).toEqual([0]);
    const db = store.view<IdentityTables>();
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    await identifyStore(db, { sealer, sealed: [], random: systemRandom, now: new Date(0) });
    expect(await shown()).toEqual([0]);
    await recordBackup(db, new Date("2026-11-29T04:00:00.500Z"));
    expect(await shown()).toEqual([1_795_924_800.5]);
  });
});
