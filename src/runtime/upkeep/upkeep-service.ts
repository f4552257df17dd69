import { dirname, isAbsolute } from "node:path";
import {
  type BackUpRequest,
  type BackUpResponse,
  type GetMasterKeysResponse,
  type GetStatusResponse,
  type ResealResponse,
  StoreService,
} from "#generated/proto/gatehouse/store/v1/store.ts";
import type { Clock } from "../basis/clock.ts";
import { failedPrecondition } from "../basis/errors.ts";
import { type ChangesDeps, createChanges } from "../changes/change.ts";
import type { Log } from "../process/log.ts";
import { type Call, type Registration, registration } from "../rpc/call.ts";
import type { SealedColumn } from "../sealing/purposes.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { backUp, notRecorded } from "./backup.ts";
import { removeLeftDrafts } from "./left-copies.ts";
import { masterKeyUse, reseal } from "./master-key-use.ts";
import { findIdentity, type IdentityTables, recordBackup, type StoreIdentity } from "./store-identity.ts";
import { shownSweepTime } from "./sweep-clock.ts";
import type { TableSizes } from "./table-sizes.ts";

interface UpkeepDeps extends ChangesDeps {
  /** By which rows are removed for good. */
  readonly sweepClock: Clock;
  readonly identity: StoreIdentity;
  /** Of the embedded store's main file; `undefined` on PostgreSQL. */
  readonly storePath: string | undefined;
  readonly sizes: TableSizes;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Where every owner stores what a master key seals. */
  readonly sealed: readonly SealedColumn[];
}

/**
 * The service `gatehouse.store.v1.Store`, and what ends its long work before the store closes. Work for a socket ends when
 * the socket stops: that of other callers would wait for it (R-X395).
 */
export function upkeep(deps: UpkeepDeps): { readonly registration: Registration; stop(): Promise<void> } {
  const ending = new AbortController();
  let underWay: Promise<unknown> | undefined;
  const resealing = new Set<Promise<unknown>>();
  return {
    registration: registration(StoreService, {
      async backUp(request, call) {
        if (underWay !== undefined)
          throw failedPrecondition("backup_under_way", "A backup is being written. Wait until it is done.");
        const backup = writeBackup(deps, request, call, ending.signal);
        underWay = backup.catch(() => undefined).finally(() => (underWay = undefined));
        return backup;
      },
      getStatus: (_, call) => readStatus(deps, AbortSignal.any([call.waiting, ending.signal])),
      getMasterKeys: () => readMasterKeys(deps),
      async reseal(_, call) {
        const work = resealStore(deps, call, ending.signal);
        const ended = work.catch(() => undefined).finally(() => resealing.delete(ended));
        resealing.add(ended);
        return work;
      },
    }),
    async stop() {
      ending.abort();
      await Promise.all([underWay, ...resealing]);
    },
  };
}

async function writeBackup(
  { store, clock, random, wake, identity, storePath, log }: UpkeepDeps,
  { path }: BackUpRequest,
  { waiting, actor, requestId }: Call,
  ending: AbortSignal,
): Promise<BackUpResponse> {
  if (storePath === undefined)
    throw failedPrecondition(
      "store_is_postgres",
      "The store is PostgreSQL. Back it up with PostgreSQL's own tools: see docs/operations/backup-and-restore.md.",
    );
  for (const detail of isAbsolute(path) ? removeLeftDrafts(dirname(path), clock.now()) : [])
    log.warn("An unfinished copy of a store was removed, which a killed backup had left.", { detail });
  const { bytes, tables, rows, madeAt, sha256 } = await backUp(storePath, path, AbortSignal.any([waiting, ending]));
  const { storeId, epoch } = identity;
  const recorded = createChanges<IdentityTables>({ store, clock, random, wake }).run(
    async ({ db, audit }) => {
      await recordBackup(db, madeAt);
      await audit({ actor, action: "store.backUp", object: storeId, facts: { bytes, rows, epoch, sha256 } });
    },
    { requestId },
  );
  await recorded.catch((error: unknown) => {
    throw notRecorded(path, error);
  });
  return { path, bytes, tables, rows, madeAt, epoch, sha256 };
}

async function readStatus(
  { store, sizes, clock, sweepClock }: UpkeepDeps,
  signal: AbortSignal,
): Promise<GetStatusResponse> {
  const identity = await findIdentity(store.view<IdentityTables>());
  const tables = await sizes.measure(signal);
  return {
    kind: store.dialect,
    storeId: identity?.storeId ?? "",
    epoch: identity?.epoch ?? 1,
    epochBeganAt: identity?.epochBeganAt ?? null,
    backedUpAt: identity?.backedUpAt ?? null,
    removedAsOf: shownSweepTime(clock, sweepClock) ?? null,
    tables: tables.map(({ table, rowsPerDay, ...size }) => ({ ...size, name: table, rowsPerDay: rowsPerDay ?? null })),
  };
}

async function readMasterKeys({ store, sealer, sealed }: UpkeepDeps): Promise<GetMasterKeysResponse> {
  const uses = await masterKeyUse(store.view(), sealer, sealed);
  return { keys: uses.map(({ place, ...use }) => ({ ...use, place: place ?? null })) };
}

async function resealStore(
  { store, clock, random, wake, sealer, log, sealed, identity: { storeId } }: UpkeepDeps,
  { waiting, actor, requestId }: Call,
  ending: AbortSignal,
): Promise<ResealResponse> {
  const changes = createChanges<unknown>({ store, clock, random, wake });
  const answer = await reseal(
    { db: store.view(), changes, sealer, columns: sealed, log, storeId },
    { actor, requestId, signal: AbortSignal.any([waiting, ending]) },
  );
  const count = Object.values(answer.resealed).reduce((sum, one) => sum + one, 0);
  log.info("Stored values were sealed again under the first master key.", { detail: answer.masterKeyId, count });
  return answer;
}
