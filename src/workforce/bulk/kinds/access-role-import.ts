import { alreadyExists } from "#runtime/basis/errors.ts";
import { getTenant, type ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { judged } from "../import-run.ts";
import type { LineOf } from "../line.ts";
import { type DefinedRole, isAsMade, toAccessRoleLine } from "../lines/access-role-line.ts";
import { assertSame } from "../lines/line-content.ts";

/**
 * Creates custom roles, and gives standard roles the name and permissions of their line as long as they are as their tenant was made
 * with them. Roles have no public id: a custom one is known by its name, a standard one by its kind. They are few and written one by one.
 */
export async function importAccessRoles(
  lines: readonly LineOf<"accessRole">[],
  context: ImportContext,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const role of lines) {
    const stored = context.tenants.has(role.tenantId) ? await context.accessRoles.list(role.tenantId) : [];
    const sameName = stored.find(({ role: { name } }) => name === role.name);
    const known = role.kind === "CUSTOM" ? sameName : stored.find(({ kind }) => kind === role.kind);
    const given = toAccessRoleLine(role);
    const verdict = judged(() => {
      getTenant(context, role.tenantId);
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
      if (known === undefined) await context.accessRoles.createCustom(role.tenantId, details);
      else await context.accessRoles.replaceDetails(known.role.id, details);
      context.touched.tenants.add(role.tenantId);
    }
    verdicts.push(verdict);
  }
  return verdicts;
}
