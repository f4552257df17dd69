import type { Migration } from "#runtime/database/migrations.ts";

/**
 * What a subscription has once it can be changed and deleted. An earlier program knows three states, so `phase` names
 * the others, and `state` is then one in which that program sends nothing: pending is also paused, deleted also disabled.
 */
export const livesOfSubscriptions: Migration = {
  number: 7,
  name: "lives of subscriptions",
  statements: ({ instant, integer, bytes }) => [
    "alter table webhooks_subscriptions add column phase text check (phase in ('pending', 'deleted'))",
    `alter table webhooks_subscriptions add column awaits_ping ${integer} not null default 0`,
    "alter table webhooks_subscriptions add column description text not null default ''",
    "alter table webhooks_subscriptions add column extra_header_names text not null default '[]'",
    `alter table webhooks_subscriptions add column extra_headers ${bytes}`,
    `alter table webhooks_subscriptions add column secrets_made ${integer} not null default 1`,
    `alter table webhooks_subscriptions add column updated_at ${instant}`,
    `alter table webhooks_subscriptions add column state_since ${instant}`,
    `alter table webhooks_subscriptions add column deleted_at ${instant}`,
    // A label is unique; that of a deleted subscription is free again, and its deliveries still show it.
    "alter table webhooks_subscriptions add column former_label text",
    "alter table webhooks_subscriptions add column last_ping text",
    "create index webhooks_subscriptions_by_integration on webhooks_subscriptions (integration_id, created_at, id)",
    "create index webhooks_subscriptions_deleted on webhooks_subscriptions (deleted_at) where deleted_at is not null",
    // An earlier program signs with a key pair's seed as if it were a shared secret: a signature more that fits nothing.
    `alter table webhooks_signing_secrets add column kind text not null default 'symmetric'
      check (kind in ('symmetric', 'asymmetric'))`,
    "alter table webhooks_signing_secrets add column public_key text",
    "create index webhooks_signing_secrets_expiring on webhooks_signing_secrets (expires_at) where expires_at is not null",
  ],
};
