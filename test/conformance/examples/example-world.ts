import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { betweenCommits } from "../../support/between-commits.ts";
import type { Rows } from "./example-names.ts";
import { applicationRows, passingRows } from "./example-sign-on.ts";
import { webhooksNumbers, webhooksRows } from "./example-webhooks.ts";
import { workforceRows } from "./example-workforce.ts";

export interface ExampleWorld {
  /** Makes what passes good again: the code unspent, tokens live, the link open, the request for sign-out unanswered. */
  renew(): Promise<void>;
  close(): void;
}

/** Writes the examples' data into the embedded store of an installation that is running, since no call takes ids and secrets. */
export async function plantExampleWorld(dataDirectory: string, apiKey: string): Promise<ExampleWorld> {
  const store = new BetterSqlite3(join(dataDirectory, "gatehouse.sqlite"), { timeout: 0 });
  const write = (rows: Rows) => {
    for (const [table, ...entries] of rows)
      for (const entry of entries) {
        const names = Object.keys(entry);
        store
          .prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
          .run(...Object.values(entry));
      }
  };
  const inOne = (work: () => void) => betweenCommits(() => store.transaction(work).immediate());
  await inOne(() => write([...workforceRows(apiKey), ...applicationRows, ...webhooksNumbers]));
  return {
    renew: () =>
      inOne(() => {
        const rows = [...passingRows(Date.now()), ...webhooksRows(dataDirectory, Date.now())];
        for (const [table] of rows.toReversed()) store.exec(`delete from ${table}`);
        write(rows);
      }),
    close: () => void store.close(),
  };
}
