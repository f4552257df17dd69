import { type RawBuilder, sql } from "kysely";
import { emailKey } from "#runtime/basis/email-address.ts";
import type { IntegrationId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { isOneOf, matchesName } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";

/** One thing with its name, and with what distinguishes it from others of the same name. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly details: string[];
}

type Sql = RawBuilder<unknown>;

/** Where the things of one kind are, what they are called, and what else is shown of them. */
interface Source {
  /** The table as `thing`, with what is joined to it. */
  readonly from: Sql;
  readonly name: Sql;
  readonly details: readonly Sql[];
}

/** The expression of the index `workforce_people_name`. */
const PERSON_NAME = sql`nullif(trim(coalesce(person.first_name, '') || ' ' || coalesce(person.last_name, '')), '')`;
const TENANT = sql`join workforce_tenants tenant on tenant.id = thing.tenant_id`;
const PERSON = sql`join workforce_people person on person.id = thing.person_id`;

const SOURCES = {
  instance: { from: sql`workforce_instances thing`, name: sql`thing.name`, details: [] },
  integration: { from: sql`workforce_integrations thing`, name: sql`thing.name`, details: [] },
  instanceIntegration: {
    from: sql`workforce_instance_integrations thing
      join workforce_integrations integration on integration.id = thing.integration_id
      join workforce_instances instance on instance.id = thing.instance_id`,
    name: sql`integration.name || ' on ' || instance.name`,
    details: [],
  },
  tenant: {
    from: sql`workforce_tenants thing join workforce_instances instance on instance.id = thing.instance_id`,
    name: sql`thing.name`,
    details: [sql`instance.name`, sql`thing.city`],
  },
  person: {
    from: sql`workforce_people person`,
    name: sql`coalesce(${PERSON_NAME}, person.email)`,
    details: [sql`person.email`],
  },
  user: {
    from: sql`workforce_users thing ${PERSON} ${TENANT}`,
    name: sql`coalesce(${PERSON_NAME}, person.email)`,
    details: [sql`person.email`, sql`tenant.name`, sql`thing.status`],
  },
  worker: {
    from: sql`workforce_workers thing ${PERSON} ${TENANT}`,
    name: sql`coalesce(${PERSON_NAME}, person.email)`,
    details: [sql`person.email`, sql`tenant.name`],
  },
  unitType: { from: sql`workforce_unit_types thing ${TENANT}`, name: sql`thing.name`, details: [sql`tenant.name`] },
  organizationUnit: {
    from: sql`workforce_units thing join workforce_unit_types unit_type on unit_type.id = thing.unit_type_id ${TENANT}`,
    name: sql`thing.name`,
    details: [sql`unit_type.name`, sql`thing.unit_code`, sql`tenant.name`],
  },
  organizationLocation: {
    from: sql`workforce_locations thing ${TENANT}`,
    name: sql`thing.name`,
    details: [sql`tenant.name`],
  },
  apiKey: {
    from: sql`workforce_api_keys thing join workforce_integrations integration on integration.id = thing.integration_id`,
    name: sql`thing.label`,
    details: [sql`integration.name`],
  },
} as const satisfies Record<string, Source>;

/** What has a name, in the words of ids. */
type SourceKind = keyof typeof SOURCES;

export const SOURCE_KINDS = Object.keys(SOURCES) as readonly SourceKind[];

/** What can be found by its name; the few instances and integrations are read as lists. */
export type FoundKind = Exclude<SourceKind, "instance" | "integration" | "instanceIntegration">;

interface NameFilter {
  readonly kind: FoundKind;
  readonly name: string;
  readonly tenantId: TenantId | null;
  readonly integrationId: IntegrationId | null;
  readonly count: number;
}

export interface NameRepository {
  /** What has the name and can still be changed, oldest first (R-X194). */
  find(filter: NameFilter): Promise<readonly Named[]>;
  /** What has one of the ids; all of one kind. */
  read(kind: SourceKind, ids: readonly string[]): Promise<readonly Named[]>;
}

export const nameRepository = (db: Database<WorkforceTables>): NameRepository => {
  const idOf = (kind: SourceKind) => (kind === "person" ? "person.id" : "thing.id");
  const list = async (kind: SourceKind, following: Sql): Promise<readonly Named[]> => {
    const { from, name, details } = SOURCES[kind];
    const [one, two, three] = details as readonly Sql[];
    const none = sql`null`;
    const { rows } = await sql<Row>`
      select ${sql.ref(idOf(kind))} as id, ${name} as name,
        ${one ?? none} as one, ${two ?? none} as two, ${three ?? none} as three
      from ${from} where ${following}`.execute(db);
    return rows.map(toNamed);
  };
  return {
    find: ({ kind, count, ...filter }) =>
      list(
        kind,
        sql`${sql.join(conditions(db, kind, filter), sql` and `)}
          order by ${kind === "person" ? sql`person.created_at, person.id` : sql`thing.created_at, thing.id`} limit ${count}`,
      ),
    read: (kind, ids) => list(kind, sql`${isOneOf(db, idOf(kind), ids)}`),
  };
};

/** What a thing must meet to be found. */
function conditions(
  db: Database<WorkforceTables>,
  kind: FoundKind,
  { name, tenantId, integrationId }: Omit<NameFilter, "kind" | "count">,
): readonly Sql[] {
  const same = (column: Sql) => matchesName(db, column, name);
  const inTenant = tenantId === null ? [] : [sql`thing.tenant_id = ${tenantId}`];
  const isPerson = name.includes("@") ? sql`person.email_key = ${emailKey(name)}` : same(PERSON_NAME);
  switch (kind) {
    case "person":
      return [isPerson, sql`person.erased_at is null`];
    case "user":
      return [isPerson, ...inTenant, sql`thing.status <> 'DELETED'`];
    case "worker":
      return [isPerson, ...inTenant, sql`thing.ended_at is null`];
    case "organizationUnit":
      return [
        ...inTenant,
        sql`(${same(sql`thing.name`)} or ${same(sql`thing.unit_code`)})`,
        sql`thing.erased_at is null`,
      ];
    case "apiKey":
      return [
        same(sql`thing.label`),
        ...(integrationId === null ? [] : [sql`thing.integration_id = ${integrationId}`]),
        sql`thing.revoked_at is null`,
      ];
    case "tenant":
      return [same(sql`thing.name`), sql`thing.erased_at is null`];
    case "unitType":
      return [...inTenant, same(sql`thing.name`), sql`thing.erased_at is null`];
    case "organizationLocation":
      return [...inTenant, same(sql`thing.name`)];
  }
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly one: string | null;
  readonly two: string | null;
  readonly three: string | null;
}

const toNamed = ({ id, name, one, two, three }: Row): Named => ({
  id,
  name,
  details: [one, two, three].filter((detail): detail is string => detail !== null && detail !== ""),
});
