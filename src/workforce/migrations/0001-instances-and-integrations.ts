import type { Migration } from "#runtime/database/migrations.ts";

/** Instances, integrations, the connections between them, and API keys. Revisions count the writes that touch what a row shows (R-G10). */
export const instancesAndIntegrations: Migration = {
  number: 1,
  name: "instances and integrations",
  statements: ({ instant, integer, bytes, strict }) => [
    `create table workforce_instances (
      id text primary key,
      name text not null,
      revision ${integer} not null,
      created_at ${instant} not null
    ) ${strict}`,
    "create index workforce_instances_age on workforce_instances (created_at, id)",
    `create table workforce_integrations (
      id text primary key,
      name text not null,
      revision ${integer} not null,
      created_at ${instant} not null
    ) ${strict}`,
    "create index workforce_integrations_age on workforce_integrations (created_at, id)",
    // One connection of an integration with an instance (R-G5).
    `create table workforce_instance_integrations (
      id text primary key,
      integration_id text not null references workforce_integrations (id),
      instance_id text not null references workforce_instances (id),
      configured ${integer} not null check (configured in (0, 1)),
      created_at ${instant} not null,
      updated_at ${instant} not null,
      unique (integration_id, instance_id)
    ) ${strict}`,
    "create index workforce_instance_integrations_age on workforce_instance_integrations (integration_id, created_at, id)",
    `create table workforce_api_keys (
      id text primary key,
      integration_id text not null references workforce_integrations (id),
      label text not null,
      look_up text not null unique,
      digest ${bytes} not null check (length(digest) = 32),
      created_at ${instant} not null,
      expires_at ${instant},
      revoked_at ${instant}
    ) ${strict}`,
    "create index workforce_api_keys_age on workforce_api_keys (integration_id, created_at, id)",
  ],
};
