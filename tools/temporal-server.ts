import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { searchAttributes } from "../workflows/search-attributes.ts";

/**
 * Starts the Temporal development server with its UI on 127.0.0.1, keeping its data in .gatehouse/temporal.sqlite, and
 * prints the UI's address. Usage: node tools/temporal-server.ts [--port 7233] [--ui-port 8233]
 */

const ROOT = join(import.meta.dirname, "..");
const READY_MS = 30_000;
const TYPES = { KEYWORD: "Keyword", INT: "Int" } as const;

export interface TemporalServerOptions {
  readonly port: number;
  /** Absent: no UI. */
  readonly uiPort?: number | undefined;
  /** The file of its store; without one its data is lost when it ends. */
  readonly store?: string | undefined;
  /** For tests: a server that lacks our search attributes. */
  readonly bare?: boolean;
}

/** Path of the binary. @throws Error with instructions when there is none. */
export function temporalCli(mayBuild: boolean): string {
  const words = [join(ROOT, "tools", "temporal-cli.sh"), ...(mayBuild ? [] : ["--found-only"])];
  return execFileSync("sh", words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", mayBuild ? "inherit" : "pipe"],
  }).trim();
}

/** Without WAL each transition waits for the disk, with a fifth of the throughput. */
const wordsOf = ({ port, uiPort, store, bare = false }: TemporalServerOptions): readonly string[] => [
  ...["server", "start-dev", "--ip", "127.0.0.1", "--port", String(port), "--log-level", "error"],
  ...(uiPort === undefined ? ["--headless"] : ["--ui-port", String(uiPort), "--ui-disable-news-fetch"]),
  ...(store === undefined ? [] : ["--db-filename", store]),
  ...["--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=normal"],
  ...["--dynamic-config-value", "system.enableActivityEagerExecution=true"],
  ...(bare ? [] : searchAttributes.flatMap(({ name, type }) => ["--search-attribute", `${name}=${TYPES[type]}`])),
];

export function spawnTemporal(cli: string, options: TemporalServerOptions): ChildProcess {
  return spawn(cli, wordsOf(options), { stdio: ["ignore", "ignore", "inherit"] });
}

/** Waits until the server answers. @throws Error when it ends before, or does not answer in time. */
export async function temporalReady(cli: string, server: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error("The Temporal server ended at once.");
    try {
      execFileSync(cli, ["operator", "cluster", "health", "--address", `127.0.0.1:${port}`], { stdio: "ignore" });
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error("The Temporal server did not answer in time.");
}

async function main(words: readonly string[]): Promise<void> {
  const after = (flag: string, fallback: number) =>
    words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : fallback;
  const [port, uiPort] = [after("--port", 7233), after("--ui-port", 8233)];
  const cli = temporalCli(true);
  mkdirSync(".gatehouse", { recursive: true, mode: 0o700 });
  const server = spawnTemporal(cli, { port, uiPort, store: join(".gatehouse", "temporal.sqlite") });
  const ended = new Promise<number>((resolve) => server.once("exit", (code) => resolve(code ?? 0)));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill("SIGTERM"));
  await temporalReady(cli, server, port);
  console.log(
    [
      `Temporal is ready at 127.0.0.1:${port}; its data is in .gatehouse/temporal.sqlite.`,
      "",
      `  The UI        http://127.0.0.1:${uiPort}/namespaces/default/workflows`,
      `  Gatehouse     make run TEMPORAL=1${port === 7233 ? "" : ` TEMPORAL_PORT=${port} TEMPORAL_UI_PORT=${uiPort}`}   (in another terminal)`,
      "  What to see   docs/operations/watching-temporal.md",
      "",
      "It has no login: leave it on this machine. Ctrl-C ends it.",
    ].join("\n"),
  );
  process.exitCode = await ended;
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`temporal-server: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
