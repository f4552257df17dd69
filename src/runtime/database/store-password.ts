import { readFileSync } from "node:fs";
import pg from "pg";

/**
 * The password of store-url as its file has it when it is asked for, so that one that was replaced counts without a restart
 * (R-X368). A file that cannot be read, or has no URL, as one that is being written: the last password that was read.
 * Nothing else of the file is looked at.
 * @param url as it was read at the start.
 */
export function passwordIn(file: string, url: string): () => string {
  let last = passwordOf(url) ?? "";
  return () => {
    last = passwordOf(readIfPossible(file)) ?? last;
    return last;
  };
}

const readIfPossible = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
};

/** The password as node-postgres understands the URL; `undefined` when it is none, or has none. */
function passwordOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  try {
    const { password } = new pg.Client({ connectionString: url }) as { readonly password?: string | null };
    return password ?? undefined;
  } catch {
    return undefined;
  }
}
