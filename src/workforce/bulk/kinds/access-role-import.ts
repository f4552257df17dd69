import { alreadyExists, type Failure } from "#runtime/basis/errors.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import { LENGTHS } from "../../request-fields.ts";
import type { AccessRoleDefinition } from "../../tenants/access-role.ts";
import { type DefinedRole, isAsMade, toAccessRoleLine } from "../lines/access-role-line.ts";
import type { LineOf } from "../lines/line.ts";
import { assertSame } from "../lines/line-content.ts";
import { type ImportBatch, tenantNamed } from "./import-batch.ts";
import { judged, type Verdict } from "./import-run.ts";

/**
 * Creates custom roles, and gives standard roles the name and permissions of their line as long as they are as their tenant was made
 * with them. Roles have no public id: a custom one is known by its name, a standard one by its kind. They are written one by one. Of
 * the custom roles of a tenant, those are read that lines name: there may be one for each user (R-E3).
 */
export async function importAccessRoles(
  lines: readonly LineOf<"accessRole">[],
  batch: ImportBatch,
): Promise<Verdict[]> {
  const { accessRoles } = batch.repositories;
  const verdicts: Verdict[] = [];
  const exchanged = new Set<LineOf<"accessRole">>();
  /** By tenant, as the lines so far have left them: the standard roles, and those that lines name. */
  const read = new Map<TenantId, AccessRoleDefinition[]>();
  const namesOf = (id: TenantId) => lines.flatMap(({ tenantId, name }) => (tenantId === id ? [name] : []));
  const rolesOf = async (id: TenantId): Promise<AccessRoleDefinition[]> => {
    const roles =
      read.get(id) ?? (batch.tenants.has(id) ? await accessRoles.listStandardAndNamed(id, namesOf(id)) : []);
    read.set(id, roles);
    return roles;
  };
  for (const role of lines) {
    if (exchanged.has(role)) {
      verdicts.push("created");
      continue;
    }
    const stored = await rolesOf(role.tenantId);
    const sameName = stored.find(({ role: { name } }) => name === role.name);
    const known = role.kind === "CUSTOM" ? sameName : stored.find(({ kind }) => kind === role.kind);
    const given = toAccessRoleLine(role);
    const circle = exchangeOf(role, stored, lines);
    for (const { line } of circle) exchanged.add(line);
    const verdict = judged(() => {
      tenantNamed(batch, role.tenantId);
      if (circle.length > 0) return "created";
      if (sameName !== undefined && sameName !== known) throw nameTaken(role, sameName);
      if (known === undefined) return "created";
      const before: DefinedRole = { ...known, name: known.role.name };
      if (known.kind === role.kind && isAsMade(before) && !isAsMade(role)) return "created";
      assertSame(`The access role ${known.role.id}`, toAccessRoleLine(before), given);
      return "unchanged";
    });
    if (verdict === "created") {
      for (const { id, line } of circle)
        await accessRoles.replaceDetails(id, { ...detailsOf(line), name: nameBetween(id) });
      for (const { id, line } of circle) await accessRoles.replaceDetails(id, detailsOf(line));
      if (known === undefined) stored.push(await accessRoles.createCustom(role.tenantId, detailsOf(role)));
      else {
        if (circle.length === 0) await accessRoles.replaceDetails(known.role.id, detailsOf(role));
        // A standard role has another name now.
        read.delete(role.tenantId);
      }
      batch.touched.tenants.add(role.tenantId);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

const nameTaken = (role: DefinedRole, holder: AccessRoleDefinition): Failure =>
  alreadyExists(
    "access_role_exists",
    role.kind === "CUSTOM" || holder.kind === "CUSTOM"
      ? "The tenant has another access role of that name. Correct name."
      : "Another standard role of the tenant has that name. Correct name; where roles exchanged their names, let their lines follow each other.",
  );

interface Exchange {
  readonly id: number;
  readonly line: LineOf<"accessRole">;
}

/**
 * The standard roles that exchange their names in a circle, from this line on; none unless each is as its tenant was made
 * with it, and the batch has its line. Such lines come in no order in which each would find its name free.
 */
function exchangeOf(
  first: LineOf<"accessRole">,
  stored: readonly AccessRoleDefinition[],
  lines: readonly LineOf<"accessRole">[],
): readonly Exchange[] {
  const circle: Exchange[] = [];
  for (let line = first; ; ) {
    const own = stored.find(({ kind }) => kind === line.kind);
    const holder = stored.find(({ role }) => role.name === line.name);
    if (own === undefined || holder === undefined || holder === own) return [];
    if (!isAsMade({ ...own, name: own.role.name })) return [];
    circle.push({ id: own.role.id, line });
    const next = lines.find(({ tenantId, kind }) => tenantId === line.tenantId && kind === holder.kind);
    if (next === first) return circle;
    if (next === undefined || circle.some((one) => one.line === next)) return [];
    line = next;
  }
}

const detailsOf = ({ name, permissions }: DefinedRole) => ({ name, permissions: [...permissions] });

/** A role's name for a moment within the transaction: longer than any name, so that no role has it. */
const nameBetween = (id: number): string => `${"x".repeat(LENGTHS.name)}${id}`;
