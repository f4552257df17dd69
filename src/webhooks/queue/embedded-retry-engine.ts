import type { RetryEngine } from "./retry-engine.ts";

/** Due times of the store: ClaimDue returns the delivery again. */
export const embeddedRetryEngine: RetryEngine = {
  name: "embedded",
  wait: (until) => ({ dueAt: until }),
};
