import type { Migration } from "#runtime/database/migrations.ts";

const ERASED = ["people", "tenants", "unit_types", "units"] as const;

/** What is erased stays as a row that other rows may refer to (R-X260). A seat that loses its person is given an erased one. */
export const erasure: Migration = {
  number: 13,
  name: "erased people, tenants, unit types and units",
  statements: ({ instant, guard, unguard }) => [
    ...ERASED.map((one) => `alter table workforce_${one} add column erased_at ${instant}`),
    ...unguard({ name: "workforce_users_seat_stays", table: "workforce_users" }),
    ...guard({
      name: "workforce_users_seat_stays",
      table: "workforce_users",
      before: "update of tenant_id, person_id",
      refuses: `new.tenant_id <> old.tenant_id or (new.person_id <> old.person_id and not exists (
        select 1 from workforce_people person where person.id = new.person_id and person.erased_at is not null
      ))`,
      saying: "a seat belongs to one person and one tenant, until it is erased",
    }),
    ...guard({
      name: "workforce_people_erased",
      table: "workforce_people",
      before: "update of erased_at, email, email_key, first_name, last_name, disabled",
      refuses: "old.erased_at is not null",
      saying: "an erased person stays as it is",
    }),
  ],
};
