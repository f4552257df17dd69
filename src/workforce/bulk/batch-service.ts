import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change } from "#runtime/changes/change.ts";
import { isConstraintViolation, type Transaction } from "#runtime/database/database.ts";
import { instanceRepository } from "../instances/instance-repository.ts";
import { personRepository } from "../people/person-repository.ts";
import { tellSeats } from "../people/told-seats-service.ts";
import type { WorkforceTables } from "../tables.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { ImportContext } from "./import-context.ts";
import type { Verdict } from "./import-position.ts";
import { importAccessRoles } from "./kinds/access-role-import.ts";
import { importInstances } from "./kinds/instance-import.ts";
import { importPeople } from "./kinds/person-import.ts";
import { importLocations, importUnits, importUnitTypes } from "./kinds/structure-import.ts";
import { importTenants } from "./kinds/tenant-import.ts";
import { importUsers } from "./kinds/user-import.ts";
import { importWorkers } from "./kinds/worker-import.ts";
import type { Line, LineKind, LineOf } from "./line.ts";
import { bulkAccessRoleRepository } from "./stores/bulk-access-role-repository.ts";
import { bulkPersonRepository } from "./stores/bulk-person-repository.ts";
import { bulkStructureRepository } from "./stores/bulk-structure-repository.ts";
import { bulkTenantRepository } from "./stores/bulk-tenant-repository.ts";
import { bulkUserRepository } from "./stores/bulk-user-repository.ts";
import { bulkWorkerRepository } from "./stores/bulk-worker-repository.ts";

const IMPORTS: {
  readonly [K in LineKind]: (lines: readonly LineOf<K>[], context: ImportContext) => Promise<Verdict[]>;
} = {
  instance: importInstances,
  tenant: importTenants,
  accessRole: importAccessRoles,
  unitType: importUnitTypes,
  unit: importUnits,
  location: importLocations,
  person: importPeople,
  user: importUsers,
  worker: importWorkers,
};

export interface BatchOptions {
  readonly random: Random;
  readonly emitEvents: boolean;
}

/** Writes what lines mean, in their order, within one change; a verdict for each. The tenants that they name are locked first. */
export async function storeLines(
  change: Change<WorkforceTables>,
  lines: readonly Line[],
  options: BatchOptions,
): Promise<Verdict[]> {
  const context = await contextOf(change, lines, options);
  const verdicts: Verdict[] = [];
  for (const run of runsOf(lines)) verdicts.push(...(await storeRun(change.db, run, context)));
  const { tenants, instances } = context.touched;
  await context.many.tenants.raiseRevisions([...tenants].sort());
  for (const id of [...instances].sort()) await context.instances.raiseRevision(id);
  return verdicts;
}

/** Lines of one kind that follow each other. */
function runsOf(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run?.[0]?.kind === line.kind) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/**
 * Writes a run at once. What the store itself refuses, somebody else was faster with: then each line is judged anew, on its own, so that
 * one does not take its neighbours along.
 */
async function storeRun(
  db: Transaction<WorkforceTables>,
  run: readonly Line[],
  context: ImportContext,
): Promise<Verdict[]> {
  const whole = await attempt(db, run, context);
  if (whole !== "refused") return whole;
  const verdicts: Verdict[] = [];
  for (const line of run) {
    const alone = await attempt(db, [line], context);
    verdicts.push(...(alone === "refused" ? [REFUSED] : alone));
  }
  return verdicts;
}

const REFUSED: Verdict = {
  bad: "The store refuses the line beside what is there already. Import it once more; if that fails too, look for what has the same name, id or seat.",
};

async function attempt(
  db: Transaction<WorkforceTables>,
  run: readonly Line[],
  context: ImportContext,
): Promise<Verdict[] | "refused"> {
  await sql`savepoint import_run`.execute(db);
  try {
    const verdicts = await importKind(run, context);
    await sql`release savepoint import_run`.execute(db);
    return verdicts;
  } catch (error) {
    if (!isConstraintViolation(error)) throw error;
    await sql`rollback to savepoint import_run`.execute(db);
    await sql`release savepoint import_run`.execute(db);
    return "refused";
  }
}

/** @param run lines of one kind, at least one. */
function importKind(run: readonly Line[], context: ImportContext): Promise<Verdict[]> {
  const [{ kind }] = run as [Line];
  const importRun = IMPORTS[kind] as (lines: readonly Line["content"][], context: ImportContext) => Promise<Verdict[]>;
  return importRun(
    run.map(({ content }) => content),
    context,
  );
}

async function contextOf(
  change: Change<WorkforceTables>,
  lines: readonly Line[],
  { random, emitEvents }: BatchOptions,
): Promise<ImportContext> {
  const { db, at } = change;
  const many = {
    tenants: bulkTenantRepository(db),
    accessRoles: bulkAccessRoleRepository(db),
    structure: bulkStructureRepository(db),
    people: bulkPersonRepository(db),
    users: bulkUserRepository(db),
    workers: bulkWorkerRepository(db),
  };
  const emit: Change<WorkforceTables>["emit"] = emitEvents ? change.emit : async () => {};
  const tenantIds = new Set(lines.flatMap(({ content }) => ("tenantId" in content ? [content.tenantId] : [])));
  const locked = await many.tenants.lockAll([...tenantIds]);
  return {
    at,
    random,
    many,
    instances: instanceRepository(db),
    accessRoles: accessRoleRepository(db),
    tenants: new Map<TenantId, Tenant>(locked.map((tenant) => [tenant.id, tenant])),
    touched: { tenants: new Set(), instances: new Set() },
    emit: async (events) => {
      if (events.length > 0) await emit(...events);
    },
    async fillNames(person) {
      await personRepository(db).replaceDetails(person.id, person);
      await tellSeats({ ...change, emit }, person.id);
    },
  };
}
