import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { isConstraintViolation, type Transaction } from "#runtime/database/database.ts";
import { instanceRepository } from "../instances/instance-repository.ts";
import { locationRepository, unitTypeRepository } from "../organization/organization-repository.ts";
import { unitRepository } from "../organization/unit-repository.ts";
import type { EmitPersonChanged } from "../people/changed-person-service.ts";
import { personRepository } from "../people/person-repository.ts";
import type { WorkforceTables } from "../tables.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { userRepository } from "../users/user-repository.ts";
import { workerRepository } from "../workers/worker-repository.ts";
import type { WorkforceChange } from "../writes-service.ts";
import { importAccessRoles } from "./kinds/access-role-import.ts";
import type { ImportBatch, Touched } from "./kinds/import-batch.ts";
import type { Verdict } from "./kinds/import-run.ts";
import { importPeople } from "./kinds/person-import.ts";
import { importLocations, importUnits, importUnitTypes } from "./kinds/structure-import.ts";
import { importInstances, importTenants } from "./kinds/tenant-import.ts";
import { importUsers } from "./kinds/user-import.ts";
import { importWorkers } from "./kinds/worker-import.ts";
import type { Line, LineKind, LineOf } from "./lines/line.ts";
import { lockNamed, namedByLines } from "./locked-lines-service.ts";

const IMPORTS: {
  readonly [K in LineKind]: (lines: readonly LineOf<K>[], batch: ImportBatch) => Promise<Verdict[]>;
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

interface BatchOptions {
  readonly random: Random;
  readonly emitEvents: boolean;
  readonly emitPersonChanged: EmitPersonChanged;
}

/**
 * Writes what lines mean, in their order, within one change; a verdict for each, and what they have added to. The tenants and
 * then the people that they concern are locked first.
 */
export async function storeLines(
  change: WorkforceChange,
  lines: readonly Line[],
  options: BatchOptions,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly touched: Touched }> {
  const batch = await beginBatch(change, lines, options);
  const verdicts: Verdict[] = [];
  for (const run of runsOf(lines)) verdicts.push(...(await storeRun(change.db, run, batch)));
  return { verdicts, touched: batch.touched };
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
 * Writes a run at once. What the store itself refuses, somebody else was faster with: then each line is judged again, on its own, so that
 * one does not take its neighbours along.
 */
async function storeRun(
  db: Transaction<WorkforceTables>,
  run: readonly Line[],
  batch: ImportBatch,
): Promise<Verdict[]> {
  const whole = await attempt(db, run, batch);
  if (whole !== "refused") return whole;
  const verdicts: Verdict[] = [];
  for (const line of run) {
    const alone = await attempt(db, [line], batch);
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
  batch: ImportBatch,
): Promise<Verdict[] | "refused"> {
  await sql`savepoint import_run`.execute(db);
  try {
    const verdicts = await importKind(run, batch);
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
function importKind(run: readonly Line[], batch: ImportBatch): Promise<Verdict[]> {
  const [{ kind }] = run as [Line];
  const importRun = IMPORTS[kind] as (lines: readonly Line["content"][], batch: ImportBatch) => Promise<Verdict[]>;
  return importRun(
    run.map(({ content }) => content),
    batch,
  );
}

async function beginBatch(
  change: WorkforceChange,
  lines: readonly Line[],
  { random, emitEvents, emitPersonChanged }: BatchOptions,
): Promise<ImportBatch> {
  const { db, at } = change;
  const repositories = {
    instances: instanceRepository(db),
    tenants: tenantRepository(db),
    accessRoles: accessRoleRepository(db),
    unitTypes: unitTypeRepository(db),
    units: unitRepository(db),
    locations: locationRepository(db),
    people: personRepository(db),
    users: userRepository(db),
    workers: workerRepository(db),
  };
  const touched: Touched = { tenants: new Set(), instances: new Set() };
  const emit: WorkforceChange["emit"] = emitEvents ? change.emit : async () => {};
  const named = namedByLines(lines);
  const ofLines = new Set(named.tenantIds);
  const { asked, tenants } = await lockNamed(db, [named]);
  return {
    at,
    random,
    repositories,
    tenants: new Map<TenantId, Tenant>(
      tenants.flatMap((tenant) => (ofLines.has(tenant.id) ? [[tenant.id, tenant] as const] : [])),
    ),
    touched,
    emit: async (events) => {
      if (events.length > 0) await emit(...events);
    },
    async fillNames(person) {
      await repositories.people.replaceDetails(person.id, person);
      for (const tenantId of await emitPersonChanged({ ...change, emit }, person.id, asked))
        touched.tenants.add(tenantId);
    },
  };
}
