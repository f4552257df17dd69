import type { RetryEngine } from "./retry-engine.ts";

/**
 * The store's half of an engine outside of it: the delivery waits to be handed over, which is the worker's business. One that the engine
 * drives already just waits for it to come back; one whose outcome was lost is offered once more, since the engine may be what was lost.
 */
export const outsideRetryEngine: RetryEngine = {
  name: "temporal",
  wait: (until, { at, engine }) => ({ retryAt: until, handOverAt: engine ? undefined : at }),
};
