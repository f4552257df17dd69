import { access } from "node:fs/promises";
import { EXIT, type Refusal, refuse } from "./refusal.ts";

/** An existing file is never overwritten. @throws Refusal, with what else is to be said. */
export async function assertNewFile(path: string, also = ""): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw unwritable(path, `it exists already${also}`);
}

export const unwritable = (path: string, why: string): Refusal =>
  refuse(EXIT.usage, {
    code: "USAGE",
    reason: "file_unwritable",
    message: `${path} cannot be written: ${why}.`,
    fix: "Name a file that does not exist yet, in a directory that you may write to.",
  });
