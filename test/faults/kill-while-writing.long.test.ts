import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Dialect, Store } from "../../src/runtime/database/database.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import type { WorkforceTables } from "../../src/workforce/tables.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { eachStore, type OpenStore } from "../support/stores.ts";
import { invitation, makeWorld, onboarding, present, type World } from "../support/world.ts";
import { type EmittedTables, KEEP_EMITTED } from "./kills/emitted.ts";

const KILLS = 6;
const WRITERS = 8;

interface Tables extends EmittedTables, WorkforceTables {}

/**
 * Programs that write everything the platform can write, killed again and again in the midst of it. Afterwards the store must match
 * what went through its outbox: what exists was emitted once, and the last event about it shows it as it is.
 */
eachStore((dialect, open) => {
  withScope((closeLater) => {
    it("kill -9 around commit: a write and its events are stored both or neither (I1, I15)", async () => {
      const { gatehouse, store } = await start(dialect, open, closeLater);
      for (const statement of KEEP_EMITTED[dialect]) await sql.raw(statement).execute(store().view());
      const world = await makeWorld(gatehouse);
      const acknowledged: Acknowledged = { ids: new Set() };
      for (let kill = 0; kill < KILLS; kill++) {
        const writing = new AbortController();
        const writers = Array.from({ length: WRITERS }, (_, writer) =>
          write(gatehouse, world, acknowledged, `${kill}-${writer}`, writing.signal),
        );
        // By what was written, not by time: a slow machine must get as far.
        const aim = acknowledged.ids.size + 90 + 13 * kill;
        while (acknowledged.ids.size < aim) await sleep(5);
        await gatehouse.programs.all?.end("SIGKILL");
        writing.abort();
        await Promise.all(writers);
        await gatehouse.restart("all");
      }

      const { events, ids } = await contents(store());
      expect(acknowledged.ids.size).toBeGreaterThan(300);
      expect([...acknowledged.ids].filter((id) => !ids.all.has(id))).toEqual([]);
      for (const [eventType, present] of Object.entries(ids.created))
        expect([eventType, countsOf(events, eventType)]).toEqual([eventType, onceEach(present)]);
      const gone = countsOf(events, "organization_location.deleted");
      const made = countsOf(events, "organization_location.created");
      expect(new Set(Object.values(gone))).toEqual(new Set([1]));
      expect(Object.keys(made).sort()).toEqual([...ids.locations, ...Object.keys(gone)].sort());

      const base = `/instance-integrations/${world.instanceIntegrationId}/clients`;
      const shown = async (path: string) =>
        (await call(gatehouse.url, path, { headers: { "x-api-key": world.apiKey } })).json<Record<string, unknown>>();
      for (const { entity_id, tenant_id, data } of lastOf(events, "user")) {
        const { id, manager, role, ...rest } = await shown(`/v1${base}/${tenant_id}/users/${entity_id}`);
        const { userId, manager: toldManager, role: toldRole, ...told } = JSON.parse(data);
        expect({ ...told, userId, manager: idOf(toldManager), role: toldRole }).toEqual({
          ...rest,
          userId: id,
          manager: idOf(manager),
          role,
        });
      }
      for (const { entity_id, tenant_id, data } of lastOf(events, "worker")) {
        const { id, ...rest } = await shown(`/v2${base}/${tenant_id}/workers/${entity_id}`);
        const { workerId, clientId, createdAt: _, ...told } = JSON.parse(data);
        expect({ ...told, id: workerId, clientId }).toEqual({ ...rest, id, clientId: tenant_id });
      }
    }, 240_000);
  });
});

async function start(
  dialect: Dialect,
  open: OpenStore,
  closeLater: Parameters<Parameters<typeof withScope>[0]>[0],
): Promise<{ readonly gatehouse: ProcessGatehouse; store(): Store }> {
  const limits = { "gateway-rate-per-second": "0" };
  if (dialect === "postgres") {
    const { store, location } = await open();
    const flags = { ...limits, "store-url": location, "master-keys": TEST_MASTER_KEY };
    return { gatehouse: await openProcesses(closeLater, { flags }), store: () => store };
  }
  const gatehouse = await openProcesses(closeLater, { flags: limits });
  return {
    gatehouse,
    store() {
      const store = openSqlite(join(gatehouse.dataDirectory, "gatehouse.sqlite"));
      closeLater(() => store.close());
      return store;
    },
  };
}

interface Acknowledged {
  /** Of what was created, and whose answer arrived. */
  readonly ids: Set<string>;
}

/** Writes one thing after another, until the process is gone. A call that was cut off may be committed or not. */
async function write(
  { platform }: ProcessGatehouse,
  world: World,
  { ids }: Acknowledged,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const acknowledged = <T extends { readonly id: string }>(one: T | null): T => {
    ids.add(present(one).id);
    return present(one);
  };
  const base = { requestId: "", instanceId: world.instanceId };
  const names = { firstName: "Zoë", lastName: "Ærlig" };
  for (let round = 0; !signal.aborted; round++) {
    const email = (who: string) => `${who}-${round}@${name}.example`;
    try {
      const tenant = acknowledged((await platform.createTenant({ ...base, name, address: null })).tenant);
      const here = { requestId: "", tenantId: tenant.id };
      const unit = { name: "Ovens", unitCode: null, description: null, parent: null };
      const type = await platform.createUnitType({ ...here, name: "Layer", units: [unit] });
      acknowledged(type.unitType);
      const top = acknowledged(type.units[0] ?? null);
      const below = { unitTypeId: present(type.unitType).id, name: "Rye", unitCode: null, description: null };
      const lower = acknowledged((await platform.createUnit({ ...here, ...below, parentUnitId: top.id })).unit);
      const location = present((await platform.createLocation({ ...here, name: "Quay" })).location);
      const asOwner = { roleName: "Owner", signedInBefore: true };
      const boss = acknowledged((await platform.inviteUser(invitation(tenant.id, email("boss"), asOwner))).user);
      const hand = acknowledged((await platform.inviteUser(invitation(tenant.id, email("hand"), asOwner))).user);
      const place = { unitIds: [top.id, lower.id], primaryUnitId: lower.id, locationId: location.id };
      const worker = acknowledged((await platform.onboardWorker(onboarding(tenant.id, email("hand"), place))).worker);
      const other = acknowledged((await platform.onboardWorker(onboarding(tenant.id, email("other"), place))).worker);
      const user = { requestId: "", userId: hand.id };
      await platform.disableUser(user);
      await platform.assignRole({ ...user, roleName: "Admin" });
      await platform.editUserPermissions({ ...user, permissions: ["payroll.read"] });
      await platform.assignManager({ ...user, managerId: null });
      await platform.enableUser(user);
      const personId = present(hand.person).id;
      const updateMask = ["first_name", "last_name"];
      await platform.updatePerson({ requestId: "", personId, updateMask, email: "", ...names, emailVerified: false });
      const change = { jobTitles: ["Baker"], phone: null, address: null, unitIds: [top.id] };
      const mask = { updateMask: ["job_titles", "unit_ids"], primaryUnitId: null, locationId: null };
      await platform.updateWorker({ requestId: "", workerId: worker.id, ...change, ...mask });
      await platform.endWorker({ requestId: "", workerId: other.id });
      await platform.deleteLocation({ requestId: "", locationId: location.id });
      await platform.deleteUser({ requestId: "", userId: boss.id });
    } catch {
      return;
    }
  }
}

interface ToldEvent {
  readonly event_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly tenant_id: string | null;
  readonly data: string;
}

/** What the store holds, and the entries that were in its outbox, oldest first. */
async function contents(store: Store) {
  const db = store.view<Tables>();
  const events: readonly ToldEvent[] = await db
    .selectFrom("emitted_entries")
    .select(["event_type", "entity_type", "entity_id", "tenant_id", "data"])
    .orderBy("sequence")
    .execute();
  const idsOf = async (
    table: "workforce_tenants" | "workforce_users" | "workforce_workers" | "workforce_unit_types" | "workforce_units",
  ) => (await db.selectFrom(table).select("id").execute()).map(({ id }): string => id);
  const created = {
    "client.created": await idsOf("workforce_tenants"),
    "user.created": await idsOf("workforce_users"),
    "worker.onboarded": await idsOf("workforce_workers"),
    "organization_unit_type.created": await idsOf("workforce_unit_types"),
    "organization_unit.created": await idsOf("workforce_units"),
  };
  const locations = (await db.selectFrom("workforce_locations").select("id").execute()).map(({ id }): string => id);
  return { events, ids: { created, locations, all: new Set(Object.values(created).flat()) } };
}

/** How many events each entity has, by its id. */
function countsOf(events: readonly ToldEvent[], eventType: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { event_type, entity_id } of events)
    if (event_type === eventType) counts[entity_id] = (counts[entity_id] ?? 0) + 1;
  return counts;
}

const onceEach = (ids: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(ids.map((id) => [id, 1]));

/** The last event about each entity of a kind. */
const lastOf = (events: readonly ToldEvent[], entityType: string): readonly ToldEvent[] => [
  ...new Map(events.filter((one) => one.entity_type === entityType).map((one) => [one.entity_id, one])).values(),
];

const idOf = (one: unknown): unknown => (one === null ? null : (one as { readonly id: string }).id);
