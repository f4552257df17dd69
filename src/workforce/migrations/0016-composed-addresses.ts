import type { Migration } from "#runtime/database/migrations.ts";

/**
 * Addresses are compared in NFC (R-D2). Of people who were stored with one address in several forms, one has it from now
 * on: who was stored in NFC, else the first by id. The others keep what they were stored with, and are found by their ids.
 */
export const composedAddresses: Migration = {
  number: 16,
  name: "people: addresses in NFC",
  statements: ({ composed }) => [
    `update workforce_people set email_key = ${composed("email_key")}
    where id in (
      select min(id) from workforce_people where email_key <> ${composed("email_key")} group by ${composed("email_key")}
    ) and not exists (
      select 1 from workforce_people owner where owner.email_key = ${composed("workforce_people.email_key")}
    )`,
  ],
};
