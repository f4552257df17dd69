import type { Migration } from "#runtime/database/migrations.ts";

export const whoseSignOut: Migration = {
  number: 15,
  name: "requests for sign-out name the person of their hint, to find what was issued from a session that was removed",
  statements: () => ["alter table sign_on_logouts add column person_id text"],
};
