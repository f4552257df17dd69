import {
  type BackUpRequest,
  type BackUpResponse,
  type GetStatusResponse,
  StoreService,
} from "#generated/proto/gatehouse/store/v1/store.ts";
import type { Clock } from "../basis/clock.ts";
import { failedPrecondition } from "../basis/errors.ts";
import type { Random } from "../basis/random.ts";
import { createChanges } from "../changes/change.ts";
import type { Store } from "../database/database.ts";
import { type Call, type Registration, registration } from "../rpc/call.ts";
import type { Wake } from "../wake/wake.ts";
import { backUp } from "./backup.ts";
import { findIdentity, type IdentityTables, recordBackup, type StoreIdentity } from "./store-identity.ts";
import type { TableSizes } from "./table-sizes.ts";

interface UpkeepDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly identity: StoreIdentity;
  /** Of the embedded store's main file; `undefined` on PostgreSQL. */
  readonly storePath: string | undefined;
  readonly sizes: TableSizes;
}

/** The service `gatehouse.store.v1.Store`, and what ends a backup under way before the store closes. */
export function upkeep(deps: UpkeepDeps): { readonly registration: Registration; stop(): Promise<void> } {
  const ending = new AbortController();
  let underWay: Promise<unknown> | undefined;
  return {
    registration: registration(StoreService, {
      async backUp(request, call) {
        if (underWay !== undefined)
          throw failedPrecondition("backup_under_way", "A backup is being written. Wait until it is done.");
        const backup = writeBackup(deps, request, call, ending.signal);
        underWay = backup.catch(() => undefined).finally(() => (underWay = undefined));
        return backup;
      },
      getStatus: (_, call) => readStatus(deps, AbortSignal.any([call.signal, ending.signal])),
    }),
    async stop() {
      ending.abort();
      await underWay;
    },
  };
}

async function writeBackup(
  { store, clock, random, wake, identity, storePath }: UpkeepDeps,
  { path }: BackUpRequest,
  { signal, actor, requestId }: Call,
  ending: AbortSignal,
): Promise<BackUpResponse> {
  if (storePath === undefined)
    throw failedPrecondition(
      "store_is_postgres",
      "The store is PostgreSQL. Back it up with PostgreSQL's own tools: see docs/operations/backup-and-restore.md.",
    );
  const { bytes, tables, rows, madeAt, sha256 } = await backUp(storePath, path, AbortSignal.any([signal, ending]));
  const { storeId, epoch } = identity;
  await createChanges<IdentityTables>({ store, clock, random, wake }).run(
    async ({ db, audit }) => {
      await recordBackup(db, madeAt);
      await audit({ actor, action: "store.backUp", object: storeId, facts: { bytes, rows, epoch, sha256 } });
    },
    { requestId },
  );
  return { path, bytes, tables, rows, madeAt, epoch, sha256 };
}

async function readStatus({ store, sizes }: UpkeepDeps, signal: AbortSignal): Promise<GetStatusResponse> {
  const identity = await findIdentity(store.view<IdentityTables>());
  const tables = await sizes.measure(signal);
  return {
    kind: store.dialect,
    storeId: identity?.storeId ?? "",
    epoch: identity?.epoch ?? 1,
    epochBeganAt: identity?.epochBeganAt ?? null,
    backedUpAt: identity?.backedUpAt ?? null,
    tables: tables.map(({ table, rowsPerDay, ...size }) => ({ ...size, name: table, rowsPerDay: rowsPerDay ?? null })),
  };
}
