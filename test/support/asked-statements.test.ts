import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { watchStatements } from "./asked-statements.ts";
import { onPostgres } from "./stores.ts";

onPostgres((open) => {
  it("statements that the connection of signals asks by itself are not counted", async () => {
    const opened = await open();
    const other = await opened.again();
    let isHeard = false;
    const heard = other.wake.after("trial", other.wake.ticket("trial"), 20_000, new AbortController().signal);
    void heard.then(() => {
      isHeard = true;
    });
    const asked = await watchStatements(async () => {
      while (!isHeard) {
        opened.wake.signal("trial");
        await sleep(10);
      }
      await sql`select 7`.execute(opened.store.view());
    });
    expect(asked).toEqual(["select 7"]);
  });
});
