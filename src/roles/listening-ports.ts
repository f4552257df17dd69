import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#runtime/basis/log.ts";

/** Ports at which the processes of one installation listen on this machine (R-X278). */
export interface ListeningPorts {
  /** True while a process of this installation that lives says that it listens there. */
  has(port: number): boolean;
  /** Says to the others that this process listens there. */
  add(port: number): void;
  /** Takes back what this process said. */
  leave(): void;
}

/**
 * The roles of an installation meet in its socket directory: each process writes a file there for each port at which it
 * listens, named by the port, with its process id in it. What a killed process left behind does not count.
 */
export function listeningPorts(socketDirectory: string, log: Pick<Log, "warn">): ListeningPorts {
  const directory = join(socketDirectory, "ports");
  const own = new Set<number>();
  const fileOf = (port: number) => join(directory, String(port));
  forgetFormer(directory);
  return {
    has: (port) => own.has(port) || isAlive(idIn(fileOf(port))),
    add(port) {
      own.add(port);
      const say = () => {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(port), String(process.pid), { mode: 0o600 });
      };
      try {
        try {
          say();
        } catch {
          // A process that left just now has removed the directory in between.
          say();
        }
      } catch (error) {
        log.warn("The other processes are not told at which port this one listens.", { detail: fileOf(port), error });
      }
    },
    leave() {
      for (const port of own) if (idIn(fileOf(port)) === process.pid) rmSync(fileOf(port), { force: true });
      own.clear();
      try {
        rmdirSync(directory);
      } catch {
        // Another process has said something there, or nobody ever did.
      }
    },
  };
}

/** In a container a process has the id of the one before it, which may have listened elsewhere. */
function forgetFormer(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory))
    if (idIn(join(directory, name)) === process.pid) rmSync(join(directory, name), { force: true });
}

/** The process id in a file; `undefined` without a readable one. */
function idIn(path: string): number | undefined {
  try {
    const id = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(id: number | undefined): boolean {
  if (id === undefined) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    // It lives, under another account.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
