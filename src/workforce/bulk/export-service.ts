import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExportWorkforceRequest, ExportWorkforceResponse } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import type { Snapshot, Store } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import type { Instance } from "../instances/instance.ts";
import { instanceRepository } from "../instances/instance-repository.ts";
import { locationRepository, unitTypeRepository } from "../organization/organization-repository.ts";
import { unitRepository } from "../organization/unit-repository.ts";
import { readBatches, WHOLE_LIST } from "../page.ts";
import { personRepository } from "../people/person-repository.ts";
import { readFields } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { User } from "../users/user.ts";
import { userRepository } from "../users/user-repository.ts";
import { workerRepository } from "../workers/worker-repository.ts";
import { isAsMade, namesFreedFirst, toAccessRoleLine } from "./lines/access-role-line.ts";
import type { LineContent } from "./lines/line-content.ts";
import { toPersonLine } from "./lines/person-line.ts";
import { toLocationLine, toUnitLine, toUnitTypeLine } from "./lines/structure-lines.ts";
import { toInstanceLine, toTenantLine } from "./lines/tenant-lines.ts";
import { toUserLine } from "./lines/user-line.ts";
import { toWorkerLine } from "./lines/worker-line.ts";
import { parentsFirst } from "./parents-first.ts";
import { type ExportLimits, patience } from "./patience.ts";

interface ExportDeps {
  readonly store: Pick<Store, "snapshot">;
  readonly limits: ExportLimits;
}

const PAGE = 250;
/** Tenants whose structure is read at once. */
const TENANTS_AT_ONCE = 50;
const RESPONSE_BYTES = 512 * 1024;

/**
 * Everything of one instance, or of all, as it was at one instant, in an order in which it can be imported: by kind, within a kind by
 * instance, tenant and id, what is referred to first. Ids are compared by their bytes, so that every database gives the same file.
 * @throws NOT_FOUND (instance_not_found); UNAVAILABLE when too many are under way (R-X369); ABORTED (export_paused, export_too_long) when the reader does not go on (R-X251).
 */
export const exportWorkforce = ({ store, limits }: ExportDeps) =>
  async function* (request: ExportWorkforceRequest, { signal }: Call): AsyncIterable<ExportWorkforceResponse> {
    const instanceId = readFields((fields) => fields.optionalId("instance_id", "instance", request.instanceId));
    const snapshot = await store.snapshot<WorkforceTables>();
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= snapshot.close());
    const reader = patience(limits, () => void close().catch(() => undefined));
    const ended = AbortSignal.any([signal, reader.signal]);
    try {
      let [lines, bytes]: [string[], number] = [[], 0];
      for await (const content of contentsOf(snapshot, instanceId, ended)) {
        if (ended.aborted) break;
        const line = JSON.stringify(content);
        lines.push(line);
        bytes += Buffer.byteLength(line);
        if (lines.length < PAGE && bytes < RESPONSE_BYTES) continue;
        reader.paused();
        yield { lines };
        reader.resumed();
        [lines, bytes] = [[], 0];
      }
      if (signal.aborted) return;
      reader.assertInTime();
      // Everything is read: the last batch may wait for its reader without the snapshot.
      reader.stop();
      await close();
      if (lines.length > 0) yield { lines };
    } finally {
      reader.stop();
      await close();
    }
  };

async function* contentsOf(
  { db }: Snapshot<WorkforceTables>,
  instanceId: InstanceId | null,
  signal: AbortSignal,
): AsyncGenerator<LineContent> {
  const instances = await instancesOf(db, instanceId);
  yield* instances.map(toInstanceLine);

  const [tenants, roles, people] = [tenantRepository(db), accessRoleRepository(db), personRepository(db)];
  const [users, workers] = [userRepository(db), workerRepository(db)];
  const pages = pagesUntil(signal);
  const eachTenants = async function* () {
    for (const { id } of instances)
      yield* pages((after) => tenants.listAfter(id, after, TENANTS_AT_ONCE), TENANTS_AT_ONCE);
  };
  /** What tenants have few of: read for some tenants at once, shown tenant by tenant. */
  const ofTenants = async function* <E extends { readonly tenantId: TenantId }>(
    list: (tenantIds: readonly TenantId[]) => Promise<E[]>,
    ordered: (entries: E[]) => readonly E[],
  ): AsyncGenerator<E> {
    for await (const some of eachTenants()) {
      const ids = some.map(({ id }) => id);
      const byTenant = Map.groupBy(await list(ids), ({ tenantId }) => tenantId);
      for (const id of ids) yield* ordered(byTenant.get(id) ?? []);
    }
  };
  const belongings = <E extends { readonly id: string; readonly tenantId: TenantId }>(
    listOf: (tenantIds: readonly TenantId[]) => Promise<E[]>,
  ) => ofTenants(listOf, (entries) => entries.toSorted(byIdBytes));

  for await (const some of eachTenants()) yield* some.map(toTenantLine);
  for await (const { role, ...definition } of ofTenants(roles.listOf, namesFreedFirst)) {
    const defined = { ...definition, name: role.name };
    if (!isAsMade(defined)) yield toAccessRoleLine(defined);
  }
  for await (const unitType of belongings(unitTypeRepository(db).listOf)) yield toUnitTypeLine(unitType);
  const units = ofTenants(unitRepository(db).listOf, (entries) =>
    parentsFirst(entries, ({ parentUnitId }) => parentUnitId),
  );
  for await (const unit of units) yield toUnitLine(unit);
  for await (const location of belongings(locationRepository(db).listOf)) yield toLocationLine(location);

  const everybody = pages(
    async (after) => (await people.listAfter(after, PAGE, instanceId)).map((one) => ({ id: one.person.id, ...one })),
    PAGE,
  );
  for await (const some of everybody)
    yield* some.filter(({ wanted }) => wanted).map(({ person }) => toPersonLine(person));
  for await (const some of eachTenants())
    for (const { id: tenantId } of some) {
      const managed: Pick<User, "id" | "managerId">[] = [];
      for await (const page of pages((after) => users.listManagersAfter(tenantId, after, PAGE), PAGE))
        managed.push(...page);
      const order = parentsFirst(managed, ({ managerId }) => managerId);
      for (let from = 0; from < order.length; from += PAGE) {
        const ids = order.slice(from, from + PAGE).map(({ id }) => id);
        yield* inOrder(ids, await users.findAll(ids)).map(toUserLine);
        await nextTurn();
      }
    }
  for await (const some of eachTenants())
    for (const { id: tenantId } of some) {
      const idPages = pages(
        async (after) => (await workers.listIdsAfter(tenantId, after, PAGE)).map((id) => ({ id })),
        PAGE,
      );
      for await (const page of idPages) {
        const ids = page.map(({ id }) => id);
        yield* inOrder(ids, await workers.findAll(ids)).map(toWorkerLine);
      }
    }
}

/** The instance, or all, in the order of the ids' bytes. @throws NOT_FOUND (instance_not_found). */
async function instancesOf(
  db: Snapshot<WorkforceTables>["db"],
  instanceId: InstanceId | null,
): Promise<readonly Instance[]> {
  const repository = instanceRepository(db);
  if (instanceId === null) {
    const all: Instance[] = [];
    for await (const { entries } of readBatches(WHOLE_LIST, repository.listPage, (one) => one)) all.push(...entries);
    return all.toSorted(byIdBytes);
  }
  const instance = await repository.find(instanceId);
  if (instance === undefined) throw unknownReference("instance", "instance_id", instanceId);
  return [instance];
}

/**
 * Page after page of what is listed by id, until one is not full, or the reader has left. Others get their turn after
 * each, since the embedded store answers at once, and a page may have nothing that the reader is to wait for.
 */
const pagesUntil = (signal: AbortSignal) =>
  async function* <E extends { readonly id: string }>(
    list: (after: string) => Promise<E[]>,
    count: number,
  ): AsyncGenerator<E[]> {
    let after = "";
    while (!signal.aborted) {
      const page = await list(after);
      if (page.length > 0) yield page;
      if (page.length < count) return;
      await nextTurn();
      after = page.at(-1)?.id ?? "";
    }
  };

function inOrder<E extends { readonly id: string }>(ids: readonly string[], found: readonly E[]): E[] {
  const byId = new Map(found.map((one) => [one.id, one]));
  return ids.map((id) => byId.get(id)).filter((one) => one !== undefined);
}

/** Ids are ASCII, whose order JavaScript keeps. */
const byIdBytes = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;
