import type { Migration } from "#runtime/database/migrations.ts";

export const firstTables: Migration = {
  number: 1,
  name: "applications, interactions, sessions, credentials, consents, codes, families, refresh tokens, signing keys",
  statements: ({ instant, integer, bytes, strict }) => [
    `create table sign_on_applications (
      id text primary key,
      name text not null,
      kind text not null check (kind in ('web', 'browser', 'native')),
      secret_digest ${bytes},
      scopes text not null,
      pkce_required ${integer} not null check (pkce_required in (0, 1)),
      consent_policy text not null check (consent_policy in ('always', 'once', 'never')),
      authorization_code_seconds ${integer} not null check (authorization_code_seconds between 30 and 600),
      access_token_seconds ${integer} not null,
      id_token_seconds ${integer} not null,
      refresh_token_idle_seconds ${integer} not null,
      refresh_token_absolute_seconds ${integer} not null,
      created_at ${instant} not null,
      check ((kind = 'web') = (secret_digest is not null)),
      check (kind = 'web' or pkce_required = 1)
    ) ${strict}`,
    `create table sign_on_redirect_uris (
      application_id text not null references sign_on_applications (id),
      uri text not null,
      instance_id text not null,
      primary key (application_id, uri)
    ) ${strict}`,
    `create table sign_on_interactions (
      id text primary key,
      secret_digest ${bytes} not null,
      application_id text not null references sign_on_applications (id),
      redirect_uri text not null,
      instance_id text not null,
      scopes text not null,
      state text,
      nonce text,
      code_challenge text,
      prompts text not null,
      max_age_seconds ${integer},
      login_hint text,
      created_at ${instant} not null,
      expires_at ${instant} not null,
      ended_at ${instant}
    ) ${strict}`,
    "create index sign_on_interactions_expiry on sign_on_interactions (expires_at)",
    `create table sign_on_sessions (
      digest ${bytes} primary key,
      person_id text not null,
      authenticated_at ${instant} not null,
      seen_at ${instant} not null,
      expires_at ${instant} not null,
      ended_at ${instant}
    ) ${strict}`,
    "create index sign_on_sessions_person on sign_on_sessions (person_id)",
    "create index sign_on_sessions_expiry on sign_on_sessions (expires_at)",
    `create table sign_on_credentials (
      person_id text primary key,
      password_hash text not null,
      updated_at ${instant} not null
    ) ${strict}`,
    `create table sign_on_consents (
      person_id text not null,
      application_id text not null references sign_on_applications (id),
      instance_id text not null,
      scopes text not null,
      granted_at ${instant} not null,
      primary key (person_id, application_id, instance_id)
    ) ${strict}`,
    `create table sign_on_token_families (
      id text primary key,
      application_id text not null references sign_on_applications (id),
      instance_id text not null,
      person_id text not null,
      session_digest ${bytes} not null,
      scopes text not null,
      authenticated_at ${instant} not null,
      issued_at ${instant} not null,
      expires_at ${instant} not null,
      revoked_at ${instant},
      revoked_because text
    ) ${strict}`,
    "create index sign_on_token_families_person on sign_on_token_families (person_id)",
    "create index sign_on_token_families_expiry on sign_on_token_families (expires_at)",
    `create table sign_on_authorization_codes (
      digest ${bytes} primary key,
      application_id text not null references sign_on_applications (id),
      redirect_uri text not null,
      instance_id text not null,
      person_id text not null,
      session_digest ${bytes} not null,
      scopes text not null,
      nonce text,
      code_challenge text,
      authenticated_at ${instant} not null,
      issued_at ${instant} not null,
      expires_at ${instant} not null,
      spent_at ${instant},
      family_id text,
      check ((spent_at is null) = (family_id is null))
    ) ${strict}`,
    "create index sign_on_authorization_codes_expiry on sign_on_authorization_codes (expires_at)",
    `create table sign_on_refresh_tokens (
      digest ${bytes} primary key,
      family_id text not null references sign_on_token_families (id),
      issued_at ${instant} not null,
      expires_at ${instant} not null,
      rotated_at ${instant}
    ) ${strict}`,
    // At most one live leaf per family (invariant I7), held by the store.
    "create unique index sign_on_refresh_tokens_leaf on sign_on_refresh_tokens (family_id) where rotated_at is null",
    "create index sign_on_refresh_tokens_family on sign_on_refresh_tokens (family_id)",
    `create table sign_on_signing_keys (
      key_id text primary key,
      algorithm text not null check (algorithm in ('RS256', 'ES256')),
      state text not null check (state in ('next', 'active', 'retiring', 'retired')),
      public_jwk text not null,
      sealed_private_key ${bytes} not null,
      created_at ${instant} not null
    ) ${strict}`,
    "create unique index sign_on_signing_keys_active on sign_on_signing_keys (algorithm) where state = 'active'",
  ],
};
