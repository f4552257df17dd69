import { TransportError } from "@temporalio/worker";

/**
 * CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE: codes of a call without an answer. The SDK's engine uses CANCELLED for a
 * timeout.
 */
const UNANSWERED: ReadonlySet<number | undefined> = new Set([1, 4, 14]);
const GRPC_UNKNOWN = 2;

/** Whether a call ended without an answer. A connection that breaks in the middle of one is an UNKNOWN error with these words. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  const { code, message } = (error ?? {}) as { readonly code?: number; readonly message?: string };
  return UNANSWERED.has(code) || (code === GRPC_UNKNOWN && /transport error/i.test(message ?? ""));
}
