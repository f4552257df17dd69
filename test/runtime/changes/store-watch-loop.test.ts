import { sql } from "kysely";
import { systemClock } from "../../../src/runtime/basis/clock.ts";
import type { StoreTrouble } from "../../../src/runtime/basis/store-troubles.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { storeWatchLoop } from "../../../src/runtime/changes/store-watch-loop.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { eventually } from "../../support/eventually.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { onPostgres } from "../../support/stores.ts";

interface Tables {
  things: { readonly text: string };
  disk: { readonly is_full: boolean };
}

/** The server's own error for every row that would need a page, as long as `disk` says so; each is counted. */
const FULL_DISK = [
  "create table things (text text not null)",
  "create table disk (is_full boolean not null)",
  "create sequence refused",
  `create function need_space() returns trigger language plpgsql as $$ begin
    if (select is_full from disk) then
      perform nextval('refused');
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end if;
    return new;
  end $$`,
  "create trigger large before insert on things for each row when (length(new.text) > 100) execute function need_space()",
  `create trigger large before insert or update on store_probes for each row
    when (length(new.padding) > 100) execute function need_space()`,
];

onPostgres((open) => {
  it("a full disk stays reported while rows that need no new page are still written, and ends when there is space", async () => {
    const { store } = await open();
    await migrate(store, [runtimeMigrations], new Date());
    for (const statement of FULL_DISK) await sql.raw(statement).execute(store.view());
    const db = store.view<Tables>();
    await db.insertInto("disk").values({ is_full: true }).execute();
    const write = (text: string) => db.insertInto("things").values({ text }).execute();
    await expect(write("x".repeat(1_000))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await write("small");
    expect(store.health.trouble).toBe("full");

    const changes: (StoreTrouble | undefined)[] = [];
    const watch = storeWatchLoop({
      store,
      clock: systemClock,
      log: recordedLog(),
      onChange: (trouble) => changes.push(trouble),
    });
    const ending = new AbortController();
    const goOn = jest.fn();
    const running = watch.run(ending.signal, undefined, goOn);
    const refused = async () => {
      const { rows } = await sql<{ readonly last_value: number }>`select last_value from refused`.execute(db);
      return Number(rows[0]?.last_value);
    };
    await eventually(refused, (count) => count >= 3);
    await write("small again");
    expect([store.health.trouble, changes]).toEqual(["full", ["full"]]);
    expect(goOn).not.toHaveBeenCalled();

    await db.updateTable("disk").set({ is_full: false }).execute();
    await eventually(
      async () => changes.length,
      (count) => count === 2,
    );
    ending.abort();
    await running;
    expect([store.health.trouble, changes]).toEqual([undefined, ["full", undefined]]);
    expect(goOn).toHaveBeenCalledTimes(1);
    const { rows } = await sql`select padding from store_probes`.execute(db);
    expect(rows).toEqual([{ padding: null }]);
  });
});
