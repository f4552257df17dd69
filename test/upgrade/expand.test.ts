import { migrations } from "../../src/roles/owners.ts";
import { pendingSteps } from "../../src/runtime/database/migrations.ts";
import { eachStore } from "../support/stores.ts";

/** What would break a statement of the program before, which may still run. */
const TAKES_AWAY: Readonly<Record<string, RegExp>> = {
  "a table that goes": /\bdrop table\b/i,
  "a column that goes": /\bdrop column\b/i,
  "another name": /\brename\b/i,
  "another type": /\balter column \w+ type\b/i,
  "a value that has to be given": /\balter column \w+ set not null\b/i,
  "a column that has to be given": /\badd column \w+ \w+ not null(?! default)/i,
  "a rule for what is written": /\badd (constraint|check|unique|foreign key)\b/i,
};

const whatTakesAway = (statement: string): readonly string[] =>
  Object.entries(TAKES_AWAY).flatMap(([what, form]) => (form.test(statement) ? [what] : []));

eachStore((_, open) => {
  it("every migration leaves the statements of the program before right: it expands (R-X334)", async () => {
    const { store } = await open();
    const steps = await pendingSteps(store, migrations);
    expect(steps.length).toBeGreaterThan(35);
    const taking = steps.flatMap(({ owner, number, statements }) =>
      statements.flatMap(whatTakesAway).map((what) => `${owner} ${number}: ${what}`),
    );
    expect(taking).toEqual([]);
  });
});

it.each([
  ["drop table guests", "a table that goes"],
  ["alter table guests drop column name", "a column that goes"],
  ["alter table guests rename column name to label", "another name"],
  ["alter table guests alter column name type integer", "another type"],
  ["alter table guests alter column name set not null", "a value that has to be given"],
  ["alter table guests add column age integer not null", "a column that has to be given"],
  ["alter table guests add constraint old check (age > 17)", "a rule for what is written"],
])("%s would be found: %s", (statement, what) => {
  expect(whatTakesAway(statement)).toEqual([what]);
});
