import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";
import { newFolder } from "../../../support/folder.ts";

const ROUNDS = 4;
const ACKNOWLEDGED = 300;

describe("kill -9 of a process that writes (nothing lost, F15)", () => {
  let folder: string;
  let writer: ChildProcess | undefined;

  beforeEach(() => {
    folder = newFolder("gh-kill-");
  });

  afterEach(() => {
    // It never ends by itself, and must not outlive a test that failed.
    writer?.kill("SIGKILL");
  });

  /** Lets the writer run until enough was acknowledged, kills it, and returns what it had acknowledged. */
  const writeAndKill = async (path: string, first: number): Promise<readonly number[]> => {
    const running = spawn(process.execPath, [join(import.meta.dirname, "kill-9-writer.ts"), path, String(first)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    writer = running;
    let text = "";
    running.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.split("\n").length > ACKNOWLEDGED) running.kill("SIGKILL");
    });
    await once(running, "close");
    // A last number may be cut in the middle: what is not a whole line was not acknowledged.
    return text.split("\n").slice(0, -1).map(Number);
  };

  it("loses no acknowledged transaction and leaves none half-written", async () => {
    const path = join(folder, "gatehouse.db");
    const acknowledged: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      acknowledged.push(...(await writeAndKill(path, round * 1_000_000 + 1)));
    }
    const store = openSqlite(path);
    const payments = await sql<{ id: number }>`select id from payments order by id`.execute(store.view());
    const receipts = await sql<{ id: number }>`select payment as id from receipts order by payment`.execute(
      store.view(),
    );
    const written = new Set(payments.rows.map(({ id }) => id));
    await store.close();
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED);
    expect(acknowledged.filter((id) => !written.has(id))).toEqual([]);
    expect(receipts.rows).toEqual(payments.rows);
  });
});
