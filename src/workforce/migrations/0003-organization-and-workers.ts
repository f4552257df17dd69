import type { Migration } from "#runtime/database/migrations.ts";

/** The structure of tenants and the workers placed in it. Composite keys keep every reference within one tenant. */
export const organizationAndWorkers: Migration = {
  number: 3,
  name: "organization and workers",
  statements: ({ instant, integer, strict }) => [
    `create table workforce_unit_types (
      id text primary key,
      tenant_id text not null references workforce_tenants (id),
      name text not null,
      created_at ${instant} not null,
      unique (tenant_id, id)
    ) ${strict}`,
    `create table workforce_units (
      id text primary key,
      tenant_id text not null references workforce_tenants (id),
      unit_type_id text not null,
      name text not null,
      unit_code text,
      description text,
      parent_unit_id text check (parent_unit_id <> id),
      created_at ${instant} not null,
      unique (tenant_id, id),
      foreign key (tenant_id, unit_type_id) references workforce_unit_types (tenant_id, id),
      foreign key (tenant_id, parent_unit_id) references workforce_units (tenant_id, id)
    ) ${strict}`,
    `create table workforce_locations (
      id text primary key,
      tenant_id text not null references workforce_tenants (id),
      name text not null,
      created_at ${instant} not null,
      unique (tenant_id, id)
    ) ${strict}`,
    `create table workforce_workers (
      id text primary key,
      tenant_id text not null references workforce_tenants (id),
      person_id text not null,
      person_named ${integer} not null check (person_named = 1),
      job_titles text not null,
      phone text,
      address1 text,
      address2 text,
      city text,
      iso_country_code text check (length(iso_country_code) = 2),
      postal_code text,
      zone_code text,
      location_id text,
      created_at ${instant} not null,
      ended_at ${instant},
      unique (tenant_id, id),
      foreign key (person_id, person_named) references workforce_people (id, named),
      foreign key (tenant_id, location_id) references workforce_locations (tenant_id, id)
    ) ${strict}`,
    "create unique index workforce_workers_seat on workforce_workers (tenant_id, person_id) where ended_at is null",
    "create index workforce_workers_person on workforce_workers (person_id)",
    "create index workforce_workers_age on workforce_workers (tenant_id, created_at, id) where ended_at is null",
    // The primary unit is one of the worker's units, and there is at most one.
    `create table workforce_worker_units (
      tenant_id text not null,
      worker_id text not null,
      unit_id text not null,
      position ${integer} not null,
      is_primary ${integer} not null check (is_primary in (0, 1)),
      primary key (worker_id, unit_id),
      foreign key (tenant_id, worker_id) references workforce_workers (tenant_id, id),
      foreign key (tenant_id, unit_id) references workforce_units (tenant_id, id)
    ) ${strict}`,
    "create unique index workforce_worker_units_primary on workforce_worker_units (worker_id) where is_primary = 1",
  ],
};
