import type { Migration } from "#runtime/database/migrations.ts";

/** From when on what sign-on holds of a person counts (R-X93, R-S8); null where nothing ended it. */
export const enabledAgain: Migration = {
  number: 9,
  name: "people: when enabled again, when the address was changed",
  statements: ({ instant }) => [
    `alter table workforce_people add column enabled_at ${instant}`,
    `alter table workforce_people add column email_changed_at ${instant}`,
  ],
};
