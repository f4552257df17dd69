import type { TableUpkeep } from "#runtime/database/sweeping.ts";

const IMPORTS_KEPT = "removed at the next import, 30 days after its last part";

/** What becomes of the rows of each of workforce's tables. */
export const workforceUpkeep: readonly TableUpkeep[] = [
  { table: "workforce_instances", bounded: "made by the platform" },
  { table: "workforce_integrations", bounded: "made by operators" },
  { table: "workforce_instance_integrations", bounded: "one for each integration and instance" },
  { table: "workforce_api_keys", bounded: "issued by operators; revoked ones stay, for the audit log" },
  { table: "workforce_rate_buckets", bounded: "one for each API key" },
  { table: "workforce_people", bounded: "the platform's people" },
  { table: "workforce_tenants", bounded: "the platform's companies" },
  { table: "workforce_access_roles", bounded: "of the companies" },
  { table: "workforce_users", bounded: "the platform's users; deleted ones stay, since events name them" },
  { table: "workforce_last_login_contexts", bounded: "one for each person and instance" },
  { table: "workforce_unit_types", bounded: "of the companies" },
  { table: "workforce_units", bounded: "of the companies" },
  { table: "workforce_locations", bounded: "of the companies" },
  { table: "workforce_workers", bounded: "the platform's workers; ended ones stay, since events name them" },
  { table: "workforce_worker_units", bounded: "of the workers" },
  { table: "workforce_imports", bounded: IMPORTS_KEPT },
  { table: "workforce_import_bad_lines", bounded: IMPORTS_KEPT },
  { table: "workforce_gateway_refusals", bounded: "14 days, and 10,000 rows at most" },
];
