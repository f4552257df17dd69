import type { Migration } from "#runtime/database/migrations.ts";

/** Finds the people of a name that an operator gives (R-X194); the expression is that of the query. */
export const peopleByName: Migration = {
  number: 12,
  name: "people by name",
  statements: ({ lowered }) => [
    `create index workforce_people_name on workforce_people (${lowered("(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''))")})`,
  ],
};
