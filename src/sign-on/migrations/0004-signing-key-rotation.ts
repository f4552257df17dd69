import type { Migration } from "#runtime/database/migrations.ts";

export const signingKeyRotation: Migration = {
  number: 4,
  name: "signing keys: when each state began and the next one may, one next key per algorithm",
  statements: ({ instant }) => [
    `alter table sign_on_signing_keys add column signs_from ${instant} not null default 0`,
    `alter table sign_on_signing_keys add column activated_at ${instant}`,
    `alter table sign_on_signing_keys add column rotation_asked_at ${instant}`,
    `alter table sign_on_signing_keys add column retires_at ${instant}`,
    `alter table sign_on_signing_keys add column retired_at ${instant}`,
    "alter table sign_on_signing_keys add column revoked_because text",
    "update sign_on_signing_keys set signs_from = created_at",
    "update sign_on_signing_keys set activated_at = created_at where state = 'active'",
    "create unique index sign_on_signing_keys_next on sign_on_signing_keys (algorithm) where state = 'next'",
  ],
};
