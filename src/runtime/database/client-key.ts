import { existsSync } from "node:fs";
import { isReadableByAll } from "../basis/file-rights.ts";
import { shellWord } from "../basis/terminal-lines.ts";

/**
 * What to do about the key that proves us to the server (`sslkey` of the URL) when all users of the machine can read it; nothing
 * when they cannot, and of a file that is not there, which is refused when the store is opened (R-X401).
 */
export function openClientKeyAdvice(url: string): string | undefined {
  const key = URL.parse(url)?.searchParams.get("sslkey");
  return key && existsSync(key) && isReadableByAll(key)
    ? `${key} (sslkey in store-url) can be read by all users. Run: chmod o= ${shellWord(key)}`
    : undefined;
}
