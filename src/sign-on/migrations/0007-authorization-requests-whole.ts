import type { Migration } from "#runtime/database/migrations.ts";

export const authorizationRequestsWhole: Migration = {
  number: 7,
  name: "authorization requests: response mode, languages, who may sign in, single claims",
  statements: () => [
    `alter table sign_on_interactions add column response_mode text not null default 'query'
      check (response_mode in ('query', 'form_post'))`,
    "alter table sign_on_interactions add column ui_locales text",
    "alter table sign_on_interactions add column expected_person_ids text",
    `alter table sign_on_interactions add column claims text not null default '{"userinfo":[],"idToken":[]}'`,
    `alter table sign_on_authorization_codes add column claims text not null default '{"userinfo":[],"idToken":[]}'`,
    "alter table sign_on_token_families add column userinfo_claims text not null default '[]'",
  ],
};
