import type { TenantId } from "#runtime/basis/ids.ts";
import type { Transaction } from "#runtime/database/database.ts";
import { type PeopleNamed, personRepository } from "../people/person-repository.ts";
import { seatRepository } from "../people/seat-repository.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { peopleOf } from "./kinds/known-people.ts";
import { peopleOfLines } from "./kinds/person-import.ts";
import type { Line } from "./lines/line.ts";

/** The tenants and people that lines are about. */
export interface NamedByLines {
  readonly tenantIds: readonly TenantId[];
  readonly people: Required<PeopleNamed>;
  /** `emailKey`s of those who become workers. */
  readonly workers: readonly string[];
}

export function namedByLines(lines: readonly Line[]): NamedByLines {
  const seats = peopleOf(lines.flatMap(({ content }) => ("person" in content ? [content.person] : [])));
  const made = peopleOfLines(lines.flatMap((line) => (line.kind === "person" ? [line.content] : [])));
  const workers = peopleOf(lines.flatMap((line) => (line.kind === "worker" ? [line.content.person] : [])));
  return {
    tenantIds: lines.flatMap(({ kind, content }) =>
      "tenantId" in content ? [content.tenantId] : kind === "tenant" ? [content.id] : [],
    ),
    people: {
      id: [...seats.id, ...made.id],
      email_key: [...seats.email_key, ...made.email_key],
      worker_profile_id: made.worker_profile_id,
    },
    workers: workers.email_key,
  };
}

/**
 * Locks the tenants that lines name, and those that show people whose names are about to become known, since workers bring
 * them (R-D2); then the people. All of a kind at once and in one order, since lines of other imports may name them in
 * another one.
 * @returns the ids of all tenants that were to be locked, and the tenants that there are.
 */
export async function lockNamed(
  db: Transaction<WorkforceTables>,
  named: readonly NamedByLines[],
): Promise<{ readonly asked: ReadonlySet<TenantId>; readonly tenants: readonly Tenant[] }> {
  const people = personRepository(db);
  const unnamed = await people.listUnnamed(named.flatMap(({ workers }) => workers));
  const telling = await seatRepository(db).listTenants(unnamed);
  const asked = new Set([...named.flatMap(({ tenantIds }) => tenantIds), ...telling]);
  const tenants = await tenantRepository(db).lockAll([...asked]);
  const all = (column: keyof PeopleNamed) => named.flatMap((one) => one.people[column]);
  await people.lockAll({
    id: all("id"),
    email_key: all("email_key"),
    worker_profile_id: all("worker_profile_id"),
  });
  return { asked, tenants };
}
