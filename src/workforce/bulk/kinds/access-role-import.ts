import { alreadyExists } from "#runtime/basis/errors.ts";
import { type DefinedRole, isAsMade, toAccessRoleLine } from "../lines/access-role-line.ts";
import type { LineOf } from "../lines/line.ts";
import { assertSame } from "../lines/line-content.ts";
import { type ImportBatch, tenantNamed } from "./import-batch.ts";
import { judged, type Verdict } from "./import-run.ts";

/**
 * Creates custom roles, and gives standard roles the name and permissions of their line as long as they are as their tenant was made
 * with them. Roles have no public id: a custom one is known by its name, a standard one by its kind. They are few and written one by one.
 */
export async function importAccessRoles(
  lines: readonly LineOf<"accessRole">[],
  batch: ImportBatch,
): Promise<Verdict[]> {
  const { accessRoles } = batch.repositories;
  const verdicts: Verdict[] = [];
  for (const role of lines) {
    const stored = batch.tenants.has(role.tenantId) ? await accessRoles.listOf([role.tenantId]) : [];
    const sameName = stored.find(({ role: { name } }) => name === role.name);
    const known = role.kind === "CUSTOM" ? sameName : stored.find(({ kind }) => kind === role.kind);
    const given = toAccessRoleLine(role);
    const verdict = judged(() => {
      tenantNamed(batch, role.tenantId);
      if (sameName !== undefined && sameName !== known)
        throw alreadyExists("access_role_exists", "The tenant has another access role of that name. Correct name.");
      if (known === undefined) return "created";
      const before: DefinedRole = { ...known, name: known.role.name };
      if (known.kind === role.kind && isAsMade(before) && !isAsMade(role)) return "created";
      assertSame(`The access role ${known.role.id}`, toAccessRoleLine(before), given);
      return "unchanged";
    });
    if (verdict === "created") {
      const details = { name: role.name, permissions: [...role.permissions] };
      if (known === undefined) await accessRoles.createCustom(role.tenantId, details);
      else await accessRoles.replaceDetails(known.role.id, details);
      batch.touched.tenants.add(role.tenantId);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}
