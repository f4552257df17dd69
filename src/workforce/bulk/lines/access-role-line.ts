import type { TenantId } from "#runtime/basis/ids.ts";
import { LENGTHS } from "../../request-fields.ts";
import { type AccessRoleKind, readPermissions, STANDARD_ROLES } from "../../tenants/access-role.ts";
import { shown, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";

/** A role with what it permits; for the standard ones, which. */
export interface DefinedRole {
  readonly tenantId: TenantId;
  readonly kind: AccessRoleKind;
  readonly name: string;
  /** Each once, sorted by code point. */
  readonly permissions: readonly string[];
}

const STANDARD_KINDS = STANDARD_ROLES.map(({ kind }) => kind);

export const readAccessRoleLine = (fields: LineFields): DefinedRole => ({
  tenantId: fields.id("tenantId", "tenant"),
  kind: fields.optionalOneOf("standard", STANDARD_KINDS) ?? "CUSTOM",
  name: fields.text("name", LENGTHS.name),
  permissions: fields.list("permissions", readPermissions),
});

export const toAccessRoleLine = ({ tenantId, kind, name, permissions }: DefinedRole): WrittenLine<DefinedRole> => ({
  kind: "accessRole",
  tenantId,
  standard: kind === "CUSTOM" ? undefined : kind,
  name,
  permissions: shown(permissions),
});

/** True for a role that every tenant begins with, unchanged: an export omits it. */
export const isAsMade = ({ kind, name, permissions }: DefinedRole): boolean =>
  permissions.length === 0 && STANDARD_ROLES.some((standard) => standard.kind === kind && standard.name === name);

/** True when the role has the name that the other one, of another kind, was made with. */
const hasFirstNameOf = (role: NamedKind, other: NamedKind): boolean =>
  role.kind !== other.kind && STANDARD_ROLES.some(({ kind, name }) => kind === other.kind && name === role.role.name);

interface NamedKind {
  readonly kind: AccessRoleKind;
  readonly role: { readonly name: string };
}

/**
 * One tenant's roles in the order in which an import can take them: each behind the standard role whose first name it has,
 * since only that one's line frees the name. Standard roles that exchanged their names in a circle follow each other: the
 * import takes them together.
 */
export function namesFreedFirst<R extends NamedKind>(roles: readonly R[]): readonly R[] {
  const ordered: R[] = [];
  for (let rest = roles.filter(({ kind }) => kind !== "CUSTOM"); rest.length > 0; ) {
    const next = rest.find((role) => !rest.some((other) => hasFirstNameOf(role, other))) ?? (rest[0] as R);
    ordered.push(next);
    rest = rest.filter((role) => role !== next);
  }
  return [...ordered, ...roles.filter(({ kind }) => kind === "CUSTOM")];
}
