import type { Migration } from "#runtime/database/migrations.ts";

const BELONGINGS = ["unit_types", "units", "locations", "workers"] as const;

/** What the store itself refuses when places and workers change, and what the lists of a location's and of all workers are read by. */
export const changesOfPlacesAndWorkers: Migration = {
  number: 6,
  name: "changes of places and workers",
  statements: ({ guard }) => [
    ...BELONGINGS.flatMap((one) =>
      guard({
        name: `workforce_${one}_stay`,
        table: `workforce_${one}`,
        before: "update of tenant_id",
        refuses: "new.tenant_id <> old.tenant_id",
        saying: "what belongs to a tenant stays with it",
      }),
    ),
    // A new unit has nothing below it yet, so only a change of the parent can close a circle.
    ...guard({
      name: "workforce_units_no_circle",
      table: "workforce_units",
      before: "update of parent_unit_id",
      refuses: `exists (
        with recursive above (id) as (
          select new.parent_unit_id
          union
          select unit.parent_unit_id from above join workforce_units unit on unit.id = above.id
        )
        select 1 from above where above.id = new.id
      )`,
      saying: "no unit lies below itself",
    }),
    // Who is placed at a location; looked for when it is deleted.
    "create index workforce_workers_location on workforce_workers (tenant_id, location_id, id) where location_id is not null",
    // Page by page with ended ones. The condition holds always, and is there for lists without ended ones not to be read by this index.
    "create index workforce_workers_ever on workforce_workers (tenant_id, created_at, id) where person_named = 1",
  ],
};
