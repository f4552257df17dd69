import type { Migration } from "#runtime/database/migrations.ts";

/** How far each import came, and what exports read in the order of its bytes: SQLite's indexes have it, PostgreSQL's follow a language. */
export const imports: Migration = {
  number: 8,
  name: "imports",
  statements: ({ instant, long, strict, onPostgres }) => [
    `create table workforce_imports (
      import_id text primary key,
      lines ${long} not null,
      created ${long} not null,
      unchanged ${long} not null,
      bad ${long} not null,
      last_number ${long} not null,
      end_offset ${long} not null,
      updated_at ${instant} not null
    ) ${strict}`,
    "create index workforce_imports_age on workforce_imports (updated_at)",
    `create table workforce_import_bad_lines (
      import_id text not null references workforce_imports (import_id) on delete cascade,
      number ${long} not null,
      reason text not null,
      primary key (import_id, number)
    ) ${strict}`,
    ...onPostgres(
      'create index workforce_people_bytes on workforce_people (id collate "C")',
      'create index workforce_tenants_bytes on workforce_tenants (instance_id, id collate "C")',
      'create index workforce_workers_bytes on workforce_workers (tenant_id, id collate "C")',
    ),
  ],
};
