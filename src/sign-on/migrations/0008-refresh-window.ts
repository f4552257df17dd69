import type { Migration } from "#runtime/database/migrations.ts";

export const refreshWindow: Migration = {
  number: 8,
  name: "what a repeated refresh token is answered from; access tokens revoked by themselves",
  statements: ({ instant, bytes, strict }) => [
    `alter table sign_on_refresh_tokens add column successor_salt ${bytes}`,
    "alter table sign_on_refresh_tokens add column successor_scopes text",
    `alter table sign_on_refresh_tokens add column predecessor_digest ${bytes}`,
    `create table sign_on_revoked_access_tokens (
      token_id text primary key,
      revoked_at ${instant} not null,
      expires_at ${instant} not null
    ) ${strict}`,
    "create index sign_on_revoked_access_tokens_expiry on sign_on_revoked_access_tokens (expires_at)",
  ],
};
