import { accessSync, constants, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../post.ts";
import { makeFolder } from "./folder.ts";

/** Where listening to one subscription goes on after a restart. */
export interface CursorFile {
  /** `undefined` when nothing was stored. */
  read(): string | undefined;
  /** Replaces the file at once, so that it is never half written. */
  write(cursor: string): void;
}

/** A cursor in a file. */
export interface StoredCursor extends CursorFile {
  readonly path: string;
}

/** One file for each gateway and subscription, so that several can listen side by side. */
export function cursorFile(folder: string, gateway: URL, subscriptionId: string): StoredCursor {
  const path = join(folder, `${gateway.host.replaceAll(/[^\w.-]/g, "_")}-${subscriptionId}.json`);
  return {
    path,
    read() {
      try {
        const { cursor } = JSON.parse(readFileSync(path, "utf8")) as { readonly cursor?: unknown };
        if (typeof cursor === "string") return cursor;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      }
      throw new CommandError(`${path} cannot be read.`, { fix: "Remove it, or begin again with --from now." });
    },
    write(cursor) {
      // One listener writes here (listener-lock.ts), so what a failed write leaves is replaced by the next one.
      const next = `${path}.new`;
      try {
        makeFolder(folder);
        writeFileSync(next, `${JSON.stringify({ cursor })}\n`);
        renameSync(next, path);
      } catch (cause) {
        const { code } = cause as NodeJS.ErrnoException;
        throw new CommandError(`${path} cannot be written (${code}), so nothing would remember what was forwarded.`, {
          fix: "Make room there, or name another folder: --state <folder>",
          cause,
        });
      }
    },
  };
}

/** The folder of one's account for such files, unless the flag names another. */
export const stateFolder = (
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string => given ?? join(env.XDG_STATE_HOME || join(home, ".local", "state"), "gatehouse-webhooks");

/** @throws CommandError when listening could not be remembered in it. */
export function makeStateFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError(`${oneLine(folder) || "The state folder"} cannot be written (${code}).`, {
      fix: "Name a folder of yours: --state <folder>",
      cause,
    });
  }
}
