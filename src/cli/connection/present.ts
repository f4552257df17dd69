import { Failure } from "#runtime/basis/errors.ts";

/** A message of an answer, which the services always fill. @throws Failure INTERNAL when an answer lacks it. */
export function present<T>(message: T | null | undefined): T {
  if (message === null || message === undefined)
    throw new Failure("INTERNAL", "incomplete_answer", "An answer of Gatehouse lacks what was asked for.");
  return message;
}
