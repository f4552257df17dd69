import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { newFolder } from "../support/folder.ts";
import { postgresMissing } from "../support/postgres-server.ts";
import { MAIN, openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { present } from "../support/world.ts";
import { makeFixtures } from "./disk/fixtures.ts";
import { openPostgresStore } from "./weather/postgres-store.ts";
import { openVolume } from "./weather/volume.ts";

/** Enough for a copy that takes a while. */
const ENTRIES = 20_000;
const KILLS = 3;
/** What is left on the full disk: some tables fit, not all rows. */
const LEFT_BYTES = 24_000_000;

const words = (url: string, directory: string) => [
  MAIN,
  ...["store", "copy", "--json", "--to", url, `--data-directory=${directory}`],
];

interface Copied {
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly resumed: number;
}

const copy = (url: string, directory: string) =>
  promisify(execFile)(process.execPath, words(url, directory)).then(
    ({ stdout }) => ({ code: 0, said: "", answer: JSON.parse(stdout) as Copied }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr, answer: undefined }),
  );

/** An installation with many rows in a new folder. @returns its data directory. */
async function installation(): Promise<string> {
  const folder = newFolder("gh-copy-");
  await makeFixtures(folder);
  const directory = join(folder, "data");
  cpSync(join(folder, "present"), directory, { recursive: true });
  const handle = new BetterSqlite3(join(directory, "gatehouse.sqlite"));
  handle.exec(`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${ENTRIES})
    insert into audit_entries (at, actor, action, object, request_id, facts)
    select at, actor, action, object, printf('%0500d', number), facts
    from numbers, (select * from audit_entries limit 1)`);
  handle.close();
  return directory;
}

onPostgres((open, closeLater) => {
  it("store copy: killed at any moment, the same command goes on, and no program starts before it is whole (R-X253)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const directory = await installation();
    const target = new pg.Client({ connectionString: location });
    await target.connect();
    closeLater(() => target.end());
    const rows = async () =>
      Number(
        (await target.query("select coalesce(sum(copied), 0) as rows from store_copy").catch(none)).rows[0]?.rows ?? 0,
      );

    const endedBy = async (signal: NodeJS.Signals, more: number) => {
      const child = spawn(process.execPath, words(location, directory), { stdio: ["ignore", "ignore", "pipe"] });
      const said = text(child.stderr);
      const [ended, least] = [once(child, "exit"), (await rows()) + more];
      while (running(child) && (await rows()) < least) await sleep(2);
      if (!running(child)) throw new Error(`It ended before it was interrupted: ${await said}`);
      child.kill(signal);
      return [...(await ended), await said];
    };
    // A piece of the long table takes longer than a busy machine leaves this test out: it sees the copy while it runs.
    await target.query(`create function wait() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.2); return null; end $$;
      create trigger wait before insert on audit_entries for each statement execute function wait()`);
    let before = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      expect(await endedBy("SIGKILL", 2_000)).toEqual([null, "SIGKILL", ""]);
      before = await rows();
    }
    const said = "gatehouse: Interrupted. The source is as it was; the same command goes on with what was copied.\n";
    expect(await endedBy("SIGINT", 500)).toEqual([null, "SIGINT", said]);
    before = await rows();
    await target.query("drop trigger wait on audit_entries");
    expect(readdirSync(directory).filter((name) => name.endsWith("-journal"))).toEqual([]);
    const started = openProcesses(closeLater, {
      flags: { "store-url": location, "master-keys": Buffer.alloc(32, 9).toString("base64") },
    });
    await expect(started).rejects.toThrow("A copy into this store is not finished");
    const done = await copy(location, directory);

    expect([done.code, done.said]).toEqual([0, ""]);
    expect(done.answer?.resumed).toBeGreaterThanOrEqual(before);
    expect(done.answer?.tables.find(({ table }) => table === "audit_entries")?.rows).toBeGreaterThan(ENTRIES);
  }, 120_000);

  it("store copy: stops with one line at a source that cannot be read (R-X330, R-X417)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const directory = await installation();
    const file = join(directory, "gatehouse.sqlite");
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length * 0.8)));
    const { code, said } = await copy(location, directory);
    expect([code, said.trim().split("\n")]).toEqual([
      65,
      [
        expect.stringMatching(
          /^\{"error":.*"gatehouse store copy did not finish \(damaged.*restore a backup.*as it was\.".*\}$/,
        ),
      ],
    ]);
  });
});

const none = () => ({ rows: [] as { rows?: string }[] });
const running = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

// Only root may mount a small disk of its own.
const mayMount = process.platform === "linux" && process.getuid?.() === 0 && postgresMissing() === undefined;

(mayMount ? describe : describe.skip)("store copy into a PostgreSQL whose disk is full", () => {
  withScope((closeLater) => {
    it("stops with one line, and goes on from there once there is space (R-X330)", async () => {
      const directory = await installation();
      const volume = openVolume(closeLater, 256);
      const server = await openPostgresStore(closeLater, volume.directory);
      const url = `postgresql://${server.user}@${encodeURIComponent(join(server.socket, ".."))}/${server.database}`;
      present(volume.fill)();
      const ballast = join(volume.directory, "ballast");
      truncateSync(ballast, statSync(ballast).size - LEFT_BYTES);

      const stopped = await copy(url, directory);
      volume.free();
      await server.ensureRunning();
      const done = await copy(url, directory);

      expect([stopped.code, stopped.said.trim().split("\n").length]).toEqual([1, 1]);
      expect(stopped.said).toMatch(/The copy stopped in \w+ \(.*\)\. The source is as it was\./);
      expect([done.code, done.said]).toEqual([0, ""]);
      expect(done.answer?.resumed).toBeGreaterThan(0);
    }, 120_000);
  });
});
