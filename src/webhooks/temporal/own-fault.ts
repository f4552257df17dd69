import { ApplicationFailure } from "@temporalio/common";
import { Failure } from "#runtime/basis/errors.ts";

/** Makes a call of ours. @throws ApplicationFailure, with the class of the error alone. */
export async function ours<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw ownFault(error);
  }
}

/** Only the class of an error goes into a history, and no stack: it would hold the machine's paths (R-E15). */
export function ownFault(error: unknown): ApplicationFailure {
  const code = error instanceof Failure ? error.code : "INTERNAL";
  const isGone = code === "NOT_FOUND";
  return failureOf({
    message: isGone
      ? "The store has no such delivery, no such round of it, or no such recovery. Is this the right store?"
      : `Our own fault (${code}): no attempt is spent, it is tried again. See the log of the services role.`,
    type: isGone ? "DeliveryUnknown" : "OwnFault",
    nonRetryable: isGone,
  });
}

/** A failure without a stack, for a history. */
export function failureOf(options: Parameters<typeof ApplicationFailure.create>[0]): ApplicationFailure {
  const failure = ApplicationFailure.create(options);
  failure.stack = "";
  return failure;
}
