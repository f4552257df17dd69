import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { searchAttributes } from "../workflows/search-attributes.ts";

const ROOT = join(import.meta.dirname, "..");
const READY_MS = 60_000;
const TYPES = { KEYWORD: "Keyword", INT: "Int" } as const;

export interface TemporalServerOptions {
  readonly port: number;
  /** Without one: no UI. */
  readonly uiPort?: number | undefined;
  /** The file of its store; without one it forgets everything when it ends. */
  readonly store?: string | undefined;
  /** For tests: a server that lacks our search attributes. */
  readonly bare?: boolean;
  /** It gets less of the processors than what else runs on the machine: a busy one takes more than the product does. */
  readonly behind?: boolean;
}

/** Path of the binary. @throws Error with what to do when there is none. */
export function temporalCli(mayBuild: boolean): string {
  const words = [join(ROOT, "tools", "temporal-cli.sh"), ...(mayBuild ? [] : ["--found-only"])];
  return execFileSync("sh", words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", mayBuild ? "inherit" : "pipe"],
  }).trim();
}

/** The lowest priority: it runs on what others leave, on Linux with `sched_autogroup_enabled` others of its session. */
const BEHIND = ["nice", "-n", "19"] as const;

/** Without WAL each transition waits for the disk: a fifth of the throughput. */
const wordsOf = ({ port, uiPort, store, bare = false }: TemporalServerOptions): readonly string[] => [
  ...["server", "start-dev", "--ip", "127.0.0.1", "--port", String(port), "--log-level", "error"],
  ...(uiPort === undefined ? ["--headless"] : ["--ui-port", String(uiPort), "--ui-disable-news-fetch"]),
  ...(store === undefined ? [] : ["--db-filename", store]),
  ...["--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=normal"],
  ...["--dynamic-config-value", "system.enableActivityEagerExecution=true"],
  // What waits in a queue is given out by turns of its fairness keys, not in the order in which it came. A server before 1.31
  // needs the other two: for that, and to give out what its store has from before.
  ...["--dynamic-config-value", "matching.enableFairness=true"],
  ...["--dynamic-config-value", "matching.useNewMatcher=true"],
  ...["--dynamic-config-value", "matching.enableMigration=true"],
  ...(bare ? [] : searchAttributes.flatMap(({ name, type }) => ["--search-attribute", `${name}=${TYPES[type]}`])),
];

export function spawnTemporal(cli: string, options: TemporalServerOptions): ChildProcess {
  // By nice, which becomes the server: a priority that is set later leaves threads out that run already.
  const [command = cli, ...words] = [...(options.behind === true ? BEHIND : []), cli, ...wordsOf(options)];
  return spawn(command, words, { stdio: ["ignore", "ignore", "inherit"] });
}

/** Waits until the server answers. @throws Error when it ends before, or does not in time. */
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
