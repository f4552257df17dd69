import type { FieldReader } from "../request-fields.ts";

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
