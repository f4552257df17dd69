import { readFileSync } from "node:fs";
import pg from "pg";

/**
 * The password of store-url as its file has it when it is asked for, so that one that was replaced counts without a restart
 * (R-X368). A file that cannot be read, or has no URL, as one that is being written: the last password that was read.
 * Nothing else of the file is looked at.
 * @param url as it was read at the start.
 * @returns `undefined` for a URL without a password: node-postgres then looks where libpq does (PGPASSFILE), or is asked for none.
 */
export function passwordIn(file: string, url: string): (() => string) | undefined {
  const first = passwordOf(url);
  if (first === undefined) return undefined;
  let last = first;
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
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  // It would warn of modes of TLS, and read the files of certificates, which may be missing for a moment.
  for (const name of new Set(parsed.searchParams.keys())) if (name !== "password") parsed.searchParams.delete(name);
  try {
    const { password } = new pg.Client({ connectionString: parsed.href }) as { readonly password?: string | null };
    return password ?? undefined;
  } catch {
    return undefined;
  }
}
