import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { spawnTemporal, temporalCli, temporalReady } from "../../harness/temporal-server.ts";
import { freePort } from "./free-port.ts";
import { newStoreFolder } from "./memory.ts";
import type { OptionalPart } from "./optional-part.ts";
import type { Closer } from "./scope.ts";

/** A real Temporal server of its own, with its store in a file. */
export interface TemporalServer {
  /** Host and port. */
  readonly address: string;
  readonly client: Client;
  /** What is in its store: the bytes of the file, and of those beside it that hold what is not written into it yet. */
  stored(): readonly Buffer[];
  /** Ends it; `start` starts it again on the same port, with its store or with none. */
  end(signal: NodeJS.Signals): Promise<void>;
  start(options?: { readonly emptied?: boolean }): Promise<void>;
  /** The server's command line, against this server. */
  command(...words: readonly string[]): string;
}

/** The binary is looked for, never built: `.ci/run` and `make temporal-cli` do that. */
export function temporalPart(): OptionalPart {
  try {
    temporalCli(false);
    return { name: "Temporal", missing: undefined };
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    return { name: "Temporal", missing: (stderr ?? String(error)).trim() };
  }
}

export async function openTemporal(
  closeLater: (closer: Closer) => void,
  { bare = false }: { readonly bare?: boolean } = {},
): Promise<TemporalServer> {
  const cli = temporalCli(false);
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const directory = await newStoreFolder("gh-temporal-");
  closeLater(() => rm(directory, { recursive: true, force: true }));
  const store = join(directory, "temporal.sqlite");
  let server: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  const start = async ({ emptied = false } = {}) => {
    if (emptied) for (const end of ["", "-wal", "-shm"]) await rm(`${store}${end}`, { force: true });
    server = spawnTemporal(cli, { port, store, bare });
    await temporalReady(cli, server, port);
  };
  closeLater(() => end("SIGKILL"));
  await start();
  const connection = await Connection.connect({ address });
  closeLater(() => connection.close());
  return {
    address,
    client: new Client({ connection }),
    stored: () =>
      ["", "-wal"].map((end) => `${store}${end}`).flatMap((path) => (existsSync(path) ? [readFileSync(path)] : [])),
    end,
    start,
    command: (...words) => execFileSync(cli, [...words, "--address", address], { encoding: "utf8" }),
  };
}
