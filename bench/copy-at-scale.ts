import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startInstallation } from "../harness/installation.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { signedInProvider } from "./sign-on.ts";
import { addWorkers } from "./support/crowd.ts";
import { addFamilies } from "./support/families.ts";
import { openConnections } from "./support/http.ts";
import { authorizeOnce, redeemOnce, refreshOnce } from "./support/provider.ts";
import { machine } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * Moves an installation with many workers and grants to PostgreSQL by `gatehouse store copy`, which is killed once in the
 * middle, and uses it there. Every table is compared by count and digest by the command itself. Usage:
 * node bench/copy-at-scale.ts [workers] [grants]
 */
const WORKERS = Number(process.argv[2] ?? 1_000_000);
const GRANTS = Number(process.argv[3] ?? 100_000);
const PROGRAM = join(import.meta.dirname, "..", "bin", "gatehouse");

interface Copied {
  readonly resumed: number;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
}

const source = await startInstallation(undefined, true);
const { directory } = source;
const store = join(directory, "gatehouse.sqlite");
const peers = connectPeers(source.socketDirectory);
const world = await benchWorld(peers);
const provider = await signedInProvider(source, world);
const tokens = await redeemOnce(provider, await authorizeOnce(provider));
await provider.connections.close();
await peers.close();
await source.stop();
addWorkers(directory, world.tenantId, WORKERS);
addFamilies(store, GRANTS, 1);

const server = await startPostgres();
const url = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/postgres`;
const target = new pg.Client({ connectionString: url });
await target.connect();
try {
  console.log(`${machine()}; ${WORKERS} workers, ${GRANTS} grants, ${mib(store)} MiB\n`);
  console.log("| step | seconds | rows |\n| --- | ---: | ---: |");
  const beganAt = performance.now();
  const killed = startCopy();
  while (killed.exitCode === null && (await copiedRows()) < WORKERS) await sleep(100);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const before = await copiedRows();
  step("copied, then killed", beganAt, before);

  const againAt = performance.now();
  const { resumed, tables } = await finishCopy();
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (resumed < before) throw new Error(`Only ${resumed} of ${before} rows were kept.`);
  step("the same command again, with the comparison of every table", againAt, rows);

  const startedAt = performance.now();
  const settings = { "store-url": url, "master-keys": readFileSync(join(directory, "master.key"), "utf8").trim() };
  const moved = await startInstallation(undefined, false, { settings });
  step("start on PostgreSQL", startedAt);
  const connections = openConnections(moved.url, 1);
  await refreshOnce({ ...provider, connections, cpu: moved.cpu }, tokens.refresh_token);
  const path = `/v2/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}/workers?limit=25`;
  await connections.send(200, path, { headers: { "x-api-key": world.apiKey } });
  await connections.close();
  await moved.stop();
  console.log("\nThe refresh token and the earlier API key work there.");
} finally {
  await target.end();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

function startCopy(output: "ignore" | "pipe" = "ignore"): ChildProcess {
  const words = ["store", "copy", "--json", "--to", url, `--data-directory=${directory}`];
  return spawn(PROGRAM, words, { stdio: ["ignore", output, "inherit"] });
}

async function finishCopy(): Promise<Copied> {
  const child = startCopy("pipe");
  const written: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => written.push(chunk));
  const [code]: (number | null)[] = await once(child, "close");
  if (code !== 0) throw new Error("The copy was refused.");
  return JSON.parse(Buffer.concat(written).toString("utf8")) as Copied;
}

/** None before the table for it is there. */
async function copiedRows(): Promise<number> {
  const { rows } = await target
    .query<{ rows: string }>("select coalesce(sum(copied), 0) as rows from store_copy")
    .catch(() => ({ rows: [] }));
  return Number(rows[0]?.rows ?? 0);
}

function step(what: string, from: number, rows?: number): void {
  console.log(`| ${what} | ${((performance.now() - from) / 1_000).toFixed(1)} | ${rows?.toLocaleString("en") ?? ""} |`);
}

function mib(path: string): number {
  return Math.round(statSync(path).size / 1_024 / 1_024);
}
