import type { Migration } from "#runtime/database/migrations.ts";

export const signingOut: Migration = {
  number: 9,
  name: "requests for sign-out, what a session's browser is, and finding what was issued from a session",
  statements: ({ instant, strict }) => [
    `create table sign_on_logouts (
      id text primary key,
      application_id text references sign_on_applications (id),
      post_logout_redirect_uri text,
      state text,
      sid text,
      created_at ${instant} not null,
      expires_at ${instant} not null
    ) ${strict}`,
    "create index sign_on_logouts_expiry on sign_on_logouts (expires_at)",
    "alter table sign_on_sessions add column browser text",
    "alter table sign_on_sessions add column system text",
    "create index sign_on_token_families_session on sign_on_token_families (session_digest) where revoked_at is null",
    "create index sign_on_authorization_codes_person on sign_on_authorization_codes (person_id) where spent_at is null",
  ],
};
