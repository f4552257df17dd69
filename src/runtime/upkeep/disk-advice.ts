import { postgresTroubleOf } from "../database/postgres/postgres-trouble.ts";
import { diskTroubleOf, STORE_TROUBLE_TEXTS, type StoreTrouble } from "../database/store-trouble.ts";

const CURES: Readonly<Record<StoreTrouble, string>> = {
  full: "Free space on the disk",
  disk: "Mend or replace the disk; the system's log says more",
  hangs: "Look at the system's log, and at what else uses the disk; writes resume by themselves",
  read_only: "Make the directory and its disk writable",
  away: "Make its server reachable, or its directory writable with space on its disk",
  refused: "Correct the role, its password and its rights, or store-url",
  busy: "End the other program that has it locked",
  damaged: "Mend the disk, or restore a backup; the system's log says more",
};

/** For an operator: why work on the store failed, and what to do. Words for a sentence, without a full stop. */
interface DiskAdvice {
  readonly why: string;
  readonly cure: string;
}

/** `undefined` when the error says nothing of a disk or a database in trouble. */
export function diskAdvice(error: unknown): DiskAdvice | undefined {
  // A connection to PostgreSQL that ends in the middle has no code.
  const trouble = diskTroubleOf(error) ?? postgresTroubleOf(error);
  return trouble && { why: STORE_TROUBLE_TEXTS[trouble], cure: CURES[trouble] };
}
