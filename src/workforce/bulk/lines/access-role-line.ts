import type { TenantId } from "#runtime/basis/ids.ts";
import { type AccessRoleKind, STANDARD_ROLES } from "../../access-roles/access-role.ts";
import { LENGTHS } from "../../request-fields.ts";
import type { LineFields } from "../line-fields.ts";
import { type LineContent, shown } from "./line-content.ts";

/** A role with what it permits; for the standard ones, which. */
export interface DefinedRole {
  readonly tenantId: TenantId;
  readonly kind: AccessRoleKind;
  readonly name: string;
  /** Each once, sorted by code point. */
  readonly permissions: readonly string[];
}

const PERMISSION = /^[a-z0-9_]+([.:-][a-z0-9_]+)*$/;
const PERMISSION_LENGTH_MAX = 100;
const PERMISSIONS_MAX = 200;
const STANDARD_KINDS = STANDARD_ROLES.map(({ kind }) => kind);

export function readAccessRoleLine(fields: LineFields): DefinedRole {
  const permissions = fields.texts("permissions", PERMISSION_LENGTH_MAX, PERMISSIONS_MAX);
  fields.check(
    permissions.every((one) => PERMISSION.test(one)),
    "permissions",
    "must be lower-case words of letters, digits and underscores, joined by . : or -",
  );
  return {
    tenantId: fields.id("tenantId", "tenant"),
    kind: fields.optionalOneOf("standard", STANDARD_KINDS) ?? "CUSTOM",
    name: fields.text("name", LENGTHS.name),
    permissions: permissions.sort(),
  };
}

export const toAccessRoleLine = ({ tenantId, kind, name, permissions }: DefinedRole): LineContent => ({
  kind: "accessRole",
  tenantId,
  standard: kind === "CUSTOM" ? undefined : kind,
  name,
  permissions: shown(permissions),
});

/** True for a role as every tenant is made with it: an export need not tell of it. */
export const isAsMade = ({ kind, name, permissions }: DefinedRole): boolean =>
  permissions.length === 0 && STANDARD_ROLES.some((standard) => standard.kind === kind && standard.name === name);
