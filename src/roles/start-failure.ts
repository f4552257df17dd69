import { CannotStart, Failure } from "#runtime/basis/errors.ts";
import { exitCodeOf } from "#runtime/basis/store-troubles.ts";
import { diskAdvice } from "#runtime/upkeep/disk-advice.ts";

/**
 * One line for a start that the store has stopped, whichever part asked it; anything else is returned as it is. Only a
 * `Failure` is known to come from the store; another error's code may have any cause.
 */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const advice = diskAdvice(error);
  if (advice === undefined) return error;
  const said = error.cause instanceof Error ? `; ${error.cause.message}` : "";
  return new CannotStart(`The store cannot be used (${advice.why}${said}). ${advice.cure}. Then start again.`, {
    exitCode: exitCodeOf(advice.trouble),
    cause: error,
  });
}
