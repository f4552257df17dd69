import type { Migration } from "#runtime/database/migrations.ts";

/** Finds the tenants of a name that an operator gives (R-X194); the expression is that of the query. */
export const tenantsByName: Migration = {
  number: 10,
  name: "tenants by name",
  statements: ({ lowered }) => [`create index workforce_tenants_name on workforce_tenants (${lowered("name")})`],
};
