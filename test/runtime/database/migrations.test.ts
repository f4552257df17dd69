import { sql } from "kysely";
import { CannotStart } from "../../../src/runtime/basis/errors.ts";
import { isChangeAlone } from "../../../src/runtime/basis/inside-change.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import {
  isUnfinishedCopy,
  type Migration,
  type MigrationSet,
  migrate,
  pendingSteps,
} from "../../../src/runtime/database/migrations.ts";
import { eachStore, onPostgres } from "../../support/stores.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");

const step = (number: number, statement: string): Migration => ({
  number,
  name: `step ${number}`,
  statements: ({ strict }) => [`${statement} ${strict}`],
});

const zoo = (...migrations: readonly Migration[]): MigrationSet => ({ owner: "zoo", migrations });
const animals = step(1, "create table animals (name text not null)");
const keepers = step(2, "create table keepers (name text not null)");
const shop: MigrationSet = { owner: "shop", migrations: [step(1, "create table tickets (number integer not null)")] };

eachStore((_, open) => {
  /** The store that `open` gives already holds the runtime's migrations; the sets of a test come beside them. */
  const fresh = async (): Promise<{ store: Store; run: (...sets: readonly MigrationSet[]) => Promise<number> }> => {
    const { store } = await open();
    return { store, run: (...sets) => migrate(store, [runtimeMigrations, ...sets], NOW) };
  };

  const ledger = async (store: Store) => {
    const rows = sql<object>`select owner, number, name, applied_at from migration_ledger where owner <> 'runtime' order by owner, number`;
    return (await rows.execute(store.view())).rows;
  };

  const refusal = async (migrating: Promise<number>): Promise<string> => {
    const error = await migrating.then(
      () => new Error("It migrated."),
      (thrown: unknown) => thrown,
    );
    if (error instanceof CannotStart) return error.message;
    throw error;
  };

  it("brings an empty store to the program's level and says how many steps it took", async () => {
    const { store, run } = await fresh();
    await expect(run(zoo(animals, keepers), shop)).resolves.toBe(3);
    await sql`insert into keepers (name) values ('Ada')`.execute(store.view());
    expect(await ledger(store)).toEqual([
      { owner: "shop", number: 1, name: "step 1", applied_at: NOW.getTime() },
      { owner: "zoo", number: 1, name: "step 1", applied_at: NOW.getTime() },
      { owner: "zoo", number: 2, name: "step 2", applied_at: NOW.getTime() },
    ]);
  });

  it("lets signals in between two statements, so that Ctrl-C ends a plan of many (R-X252)", async () => {
    const { run } = await fresh();
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    const statements = Array.from({ length: 50 }, (_, number) => `create table cage_${number} (name text not null)`);
    await run(zoo({ number: 1, name: "cages", statements: () => statements }));
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(statements.length);
  });

  it("gives the steps a commit of their own, whose undo may be larger than the memory should take", async () => {
    const { store, run } = await fresh();
    const alone: boolean[] = [];
    const noting: Migration = {
      ...animals,
      statements: (spelling) => {
        alone.push(isChangeAlone());
        return animals.statements(spelling);
      },
    };
    await run(zoo(noting));
    await sql`insert into animals (name) values ('Ida')`.execute(store.view());
    expect([...new Set(alone.slice(-1)), isChangeAlone()]).toEqual([true, false]);
  });

  it("refuses a store that has a table of another program and no ledger, and takes no step (R-X348)", async () => {
    const { store, run } = await fresh();
    await sql`drop table migration_ledger`.execute(store.view());
    const others = await store.view().introspection.getTables();
    expect(await refusal(run(zoo(animals)))).toMatch(/table \w+ that Gatehouse did not make.*of its own/);
    expect(await refusal(pendingSteps(store, [runtimeMigrations]).then(({ length }) => length))).toMatch(
      /did not make/,
    );
    expect(await store.view().introspection.getTables()).toEqual(others);
  });

  it("refuses a store whose ledger is another program's, for each question to it (R-X348)", async () => {
    const { store, run } = await fresh();
    await sql`alter table migration_ledger rename to ledger_of_ours`.execute(store.view());
    await sql`create table migration_ledger (id integer)`.execute(store.view());
    const expected = /table migration_ledger.*did not make.*of its own/;
    expect(await refusal(run(zoo(animals)))).toMatch(expected);
    expect(await refusal(pendingSteps(store, [zoo(animals)]).then(({ length }) => length))).toMatch(expected);
    expect(await refusal(isUnfinishedCopy(store).then(Number))).toMatch(expected);
  });

  it("makes the store enforce a rule that no constraint can express", async () => {
    const { store, run } = await fresh();
    const guarded: Migration = {
      number: 2,
      name: "names stay",
      statements: ({ guard }) =>
        guard({
          name: "animals_named_once",
          table: "animals",
          before: "update of name",
          refuses: "new.name <> old.name and exists (select 1 from animals where name = new.name)",
          saying: "two animals have one name",
        }),
    };
    await run(zoo(animals, guarded));
    const rename = (from: string, to: string) =>
      sql`update animals set name = ${to} where name = ${from}`.execute(store.view());
    await sql`insert into animals (name) values ('Ada'), ('Bo')`.execute(store.view());
    await expect(rename("Ada", "Bo")).rejects.toThrow("constraint animals_named_once: two animals have one name");
    await rename("Ada", "Ada");
    await rename("Ada", "Cleo");
    const { rows } = await sql<{ name: string }>`select name from animals order by name`.execute(store.view());
    expect(rows.map(({ name }) => name)).toEqual(["Bo", "Cleo"]);
  });

  it("takes each step once", async () => {
    const { run } = await fresh();
    await run(zoo(animals), shop);
    await expect(run(zoo(animals), shop)).resolves.toBe(0);
    await expect(run(zoo(animals, keepers), shop)).resolves.toBe(1);
  });

  it("can guard rows against an update; the error names the guard, and other updates pass", async () => {
    const { store, run } = await fresh();
    const guarded: Migration = {
      number: 2,
      name: "names stay",
      statements: ({ guard }) =>
        guard({
          name: "animals_names_stay",
          table: "animals",
          before: "update of name",
          refuses: "old.name = 'Ada' and new.name <> old.name",
          saying: "a name stays",
        }),
    };
    await run(zoo(animals, guarded));
    const write = (statement: string) => sql.raw(statement).execute(store.view());
    await write("insert into animals (name) values ('Ada')");
    await write("insert into animals (name) values ('Bo')");
    await write("update animals set name = 'Bob' where name = 'Bo'");
    await write("update animals set name = name");
    await expect(write("update animals set name = 'Eve'")).rejects.toThrow("animals_names_stay");
    expect((await sql`select name from animals order by name`.execute(store.view())).rows).toEqual([
      { name: "Ada" },
      { name: "Bob" },
    ]);
  });

  it("refuses a store that is newer than the program, for any owner, in one line", async () => {
    const { run } = await fresh();
    await run(zoo(animals, keepers), shop);
    await expect(refusal(run(zoo(animals), shop))).resolves.toBe(
      "The store is newer than this program: it holds migration 2 of zoo. Start the newer program, or restore a backup.",
    );
    await expect(refusal(run(zoo(animals, keepers)))).resolves.toMatch(/^The store is newer .* migration 1 of shop\./);
  });

  it("refuses a step that was changed after it was taken, in one line", async () => {
    const { run } = await fresh();
    await run(zoo(animals));
    const changed = step(1, "create table animals (name text)");
    await expect(refusal(run(zoo(changed)))).resolves.toBe(
      "Migration 1 of zoo in the store differs from this program's. Start the program that made the store.",
    );
  });

  it("takes all steps or none", async () => {
    const { store, run } = await fresh();
    await expect(run(zoo(animals, step(2, "create nonsense")))).rejects.toThrow(/nonsense/);
    expect(await ledger(store)).toEqual([]);
    await expect(run(zoo(animals))).resolves.toBe(1);
  });
});

onPostgres((open) => {
  it("lets one of several starting processes migrate; the others find it done", async () => {
    const { racers } = await open();
    const stores = await racers(4);
    const sets = [runtimeMigrations, zoo(animals, keepers)];
    const steps = await Promise.all(stores.map(({ store }) => migrate(store, sets, NOW)));
    expect(steps.toSorted()).toEqual([0, 0, 0, 2]);
  });
});
