import { readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "#runtime/basis/directories.ts";
import { newSecret, systemRandom } from "#runtime/basis/random.ts";
import type { Log } from "#runtime/process/log.ts";

/** Ports at which the processes of one installation listen on this machine (R-X278). */
export interface ListeningPorts {
  /** True while a process that shares the socket directory says that it listens there. */
  has(port: number): boolean;
  /** Says to the others that this process listens there. */
  add(port: number): void;
  /** Takes back what this process said. */
  leave(): void;
}

/** How often a process says again that it listens. */
const SAY_AGAIN_MS = 10_000;
/** What was said so long ago comes from a process that was killed. */
const STALE_MS = 60_000;

/**
 * The roles of an installation meet in its socket directory: each process has a file there for each port at which it
 * listens, named by the port, and touches it as long as it lives. Process ids would not do: in containers they are the
 * same.
 */
export function listeningPorts(socketDirectory: string, log: Pick<Log, "warn">): ListeningPorts {
  const directory = join(socketDirectory, "ports");
  const own = new Set<number>();
  const self = newSecret(systemRandom);
  const fileOf = (port: number) => join(directory, String(port));
  const say = (port: number) => {
    makeDirectory(directory, 0o700);
    writeFileSync(fileOf(port), self, { mode: 0o600 });
  };
  let saying: NodeJS.Timeout | undefined;
  return {
    has: (port) => own.has(port) || isFresh(fileOf(port)),
    add(port) {
      own.add(port);
      // Twice: a process that leaves just now may remove the directory in between.
      const trouble = troubleOf(() => say(port)) && troubleOf(() => say(port));
      if (trouble !== undefined)
        log.warn("Other processes cannot learn at which port this one listens: make the socket directory writable.", {
          detail: fileOf(port),
          error: trouble,
        });
      saying ??= setInterval(() => {
        for (const one of own) troubleOf(() => touch(fileOf(one))) && troubleOf(() => say(one));
      }, SAY_AGAIN_MS).unref();
    },
    leave() {
      clearInterval(saying);
      for (const port of own) if (textIn(fileOf(port)) === self) troubleOf(() => rmSync(fileOf(port), { force: true }));
      own.clear();
      // It stays where another process has said something.
      troubleOf(() => rmdirSync(directory));
    },
  };
}

const touch = (path: string): void => {
  const seconds = Date.now() / 1_000;
  utimesSync(path, seconds, seconds);
};

function isFresh(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs < STALE_MS;
  } catch {
    return false;
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function troubleOf(attempt: () => void): Error | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
