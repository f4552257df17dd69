import { CannotStart } from "#runtime/basis/errors.ts";
import { exitCodeOf } from "#runtime/basis/store-troubles.ts";
import { diskAdvice } from "#runtime/upkeep/disk-advice.ts";

/**
 * One line for a command of `gatehouse store` that a disk or a database in trouble has stopped; anything else is
 * returned as it is. Each command works on a copy or in one transaction, so the store is as it was (R-X330).
 */
export function commandFailure(command: string, error: unknown): unknown {
  if (error instanceof CannotStart) return error;
  const advice = diskAdvice(error);
  if (advice === undefined) return error;
  return new CannotStart(
    `gatehouse store ${command} did not finish (${advice.why}). ${advice.cure}. Then run the command again. The store is as it was.`,
    { exitCode: exitCodeOf(advice.trouble), cause: error },
  );
}
