import {
  type AccessRoleDefinition as AccessRoleDefinitionMessage,
  AccessRoleKind as AccessRoleKindMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { FieldReader } from "../request-fields.ts";

/** The roles that every tenant is made with, and the kind of those made later for one user (R-E3). */
export type AccessRoleKind = "OWNER" | "ADMIN" | "MEMBER" | "CUSTOM";

/** What a user may do. The id is internal (R-G14). */
export interface AccessRole {
  readonly id: number;
  readonly name: string;
}

/** An access role with what it permits. */
export interface AccessRoleDefinition {
  readonly role: AccessRole;
  readonly tenantId: TenantId;
  readonly kind: AccessRoleKind;
  /** The platform's own words, each once, sorted by code point; nothing is read into them here. */
  readonly permissions: string[];
}

/** Made with each tenant, in this order. */
export const STANDARD_ROLES = [
  { kind: "OWNER", name: "Owner", permissions: [] },
  { kind: "ADMIN", name: "Admin", permissions: [] },
  { kind: "MEMBER", name: "Member", permissions: [] },
] as const satisfies readonly {
  readonly kind: AccessRoleKind;
  readonly name: string;
  readonly permissions: readonly string[];
}[];

/** A role with what it permits, as our services send it to each other. */
export const toDefinitionMessage = (definition: AccessRoleDefinition): AccessRoleDefinitionMessage => ({
  ...definition,
  kind: AccessRoleKindMessage[definition.kind],
});

const PERMISSIONS_MAX = 200;
const LENGTH_MAX = 100;

/** Lower-case words of letters, digits and underscores, joined by `.`, `:` or `-`: `payroll.read`. */
const isPermission = (text: string): boolean => /^[a-z0-9_]+([.:-][a-z0-9_]+)*$/.test(text);

/** Reads what a role permits; sorted by code point, which for these characters is the order of JavaScript. */
export function readPermissions(fields: FieldReader, field: string, given: readonly string[]): string[] {
  const permissions = fields.texts(field, given, LENGTH_MAX, PERMISSIONS_MAX);
  for (const [index, permission] of permissions.entries())
    fields.check(
      permission === "" || isPermission(permission),
      `${field}[${index}]`,
      "must be lower-case words of letters, digits and underscores, joined by . : or -, for example payroll.read",
    );
  return permissions.toSorted();
}
