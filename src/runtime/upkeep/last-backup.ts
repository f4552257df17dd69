import type { Store } from "../database/database.ts";
import { Gauge, type Metrics } from "../process/metrics.ts";
import { findIdentity, type IdentityTables } from "./store-identity.ts";

/** Says in the metrics when the last backup of this store was made, so that an operator learns that none was made. */
export function measureLastBackup(store: Pick<Store, "view">, metrics: Metrics): void {
  const db = store.view<IdentityTables>();
  new Gauge({
    name: "gatehouse_store_last_backup_timestamp_seconds",
    help: "When the last backup of the embedded store was made, in seconds since 1970; 0 before the first.",
    registers: [metrics],
    async collect() {
      const identity = await findIdentity(db);
      this.set((identity?.backedUpAt?.getTime() ?? 0) / 1000);
    },
  });
}
