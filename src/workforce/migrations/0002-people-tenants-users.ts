import type { Migration } from "#runtime/database/migrations.ts";

/** People, tenants with their access roles, and the users that are people's seats in tenants. */
export const peopleTenantsUsers: Migration = {
  number: 2,
  name: "people, tenants, users",
  statements: ({ instant, integer, sequence, strict }) => [
    // `named` lets workers refer to people with both names only (R-D2).
    `create table workforce_people (
      id text primary key,
      worker_profile_id text not null unique,
      email text not null,
      email_key text not null unique check (email_key <> ''),
      email_verified ${integer} not null check (email_verified in (0, 1)),
      first_name text check (first_name <> ''),
      last_name text check (last_name <> ''),
      named ${integer} not null check (named = case when first_name is null or last_name is null then 0 else 1 end),
      disabled ${integer} not null check (disabled in (0, 1)),
      created_at ${instant} not null,
      unique (id, named)
    ) ${strict}`,
    `create table workforce_tenants (
      id text primary key,
      instance_id text not null references workforce_instances (id),
      name text not null,
      address1 text,
      address2 text,
      city text,
      iso_country_code text check (length(iso_country_code) = 2),
      postal_code text,
      zone_code text,
      revision ${integer} not null,
      created_at ${instant} not null,
      unique (instance_id, id)
    ) ${strict}`,
    "create index workforce_tenants_age on workforce_tenants (instance_id, created_at, id)",
    `create table workforce_access_roles (
      id ${sequence},
      tenant_id text not null references workforce_tenants (id),
      name text not null,
      kind text not null check (kind in ('OWNER', 'ADMIN', 'MEMBER', 'CUSTOM')),
      unique (tenant_id, id),
      unique (tenant_id, name)
    ) ${strict}`,
    "create unique index workforce_access_roles_standard on workforce_access_roles (tenant_id, kind) where kind <> 'CUSTOM'",
    `create table workforce_users (
      id text primary key,
      tenant_id text not null references workforce_tenants (id),
      person_id text not null references workforce_people (id),
      status text not null check (status in ('ACTIVE', 'INACTIVE', 'INVITED', 'DELETED')),
      manager_id text check (manager_id <> id),
      access_role_id ${integer},
      created_at ${instant} not null,
      unique (tenant_id, id),
      foreign key (tenant_id, manager_id) references workforce_users (tenant_id, id),
      foreign key (tenant_id, access_role_id) references workforce_access_roles (tenant_id, id)
    ) ${strict}`,
    // A person has one seat per tenant; a deleted one does not stand in the way of a new invitation (R-G17).
    "create unique index workforce_users_seat on workforce_users (tenant_id, person_id) where status <> 'DELETED'",
    "create index workforce_users_person on workforce_users (person_id)",
    "create index workforce_users_manager on workforce_users (tenant_id, manager_id) where manager_id is not null",
    "create index workforce_users_active_role on workforce_users (tenant_id, access_role_id, created_at, id) where status = 'ACTIVE'",
    // The tenant is one of the instance's (R-S22).
    `create table workforce_last_login_contexts (
      person_id text not null references workforce_people (id),
      instance_id text not null,
      kind text not null check (kind in ('USER', 'WORKER')),
      tenant_id text not null,
      set_at ${instant} not null,
      primary key (person_id, instance_id),
      foreign key (instance_id, tenant_id) references workforce_tenants (instance_id, id)
    ) ${strict}`,
  ],
};
