import { STORE_TROUBLE_CURES, STORE_TROUBLE_TEXTS, type StoreTrouble } from "../basis/store-troubles.ts";
import { postgresTroubleOf } from "../database/postgres/postgres-trouble.ts";
import { diskTroubleOf } from "../database/store-trouble.ts";

/** For an operator: why work on the store failed, and what to do. Words for a sentence, without a full stop. */
interface DiskAdvice {
  readonly trouble: StoreTrouble;
  readonly why: string;
  readonly cure: string;
}

/** `undefined` when the error says nothing of a disk or a database in trouble. */
export function diskAdvice(error: unknown): DiskAdvice | undefined {
  // A connection to PostgreSQL that ends in the middle has no code.
  const trouble = diskTroubleOf(error) ?? postgresTroubleOf(error);
  return trouble && { trouble, why: STORE_TROUBLE_TEXTS[trouble], cure: STORE_TROUBLE_CURES[trouble] };
}
