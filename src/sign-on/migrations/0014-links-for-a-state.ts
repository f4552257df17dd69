import type { Migration } from "#runtime/database/migrations.ts";

export const linksForAState: Migration = {
  number: 14,
  name: "password links know the state of their person, which no order of instants tells",
  statements: () => ["alter table sign_on_password_links add column person_state text"],
};
