import type { Migration } from "#runtime/database/migrations.ts";

export const applicationsWhole: Migration = {
  number: 3,
  name: "applications: grant types, repeat window, origins, post-logout addresses, a previous secret, disabling",
  statements: ({ instant, integer, bytes }) => [
    `alter table sign_on_applications add column grant_types text not null default '["authorization_code","refresh_token"]'`,
    `alter table sign_on_applications add column refresh_repeat_seconds ${integer} not null default 30
      check (refresh_repeat_seconds between 0 and 300)`,
    "alter table sign_on_applications add column cors_origins text not null default '[]'",
    "alter table sign_on_applications add column post_logout_redirect_uris text not null default '[]'",
    `alter table sign_on_applications add column previous_secret_digest ${bytes}`,
    `alter table sign_on_applications add column previous_secret_expires_at ${instant}`,
    `alter table sign_on_applications add column updated_at ${instant}`,
    `alter table sign_on_applications add column disabled_at ${instant}`,
    "update sign_on_applications set updated_at = created_at",
  ],
};
