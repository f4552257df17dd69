import { Counter, type Metrics } from "#runtime/basis/metrics.ts";

/** How an attempt to sign in ended. */
export type SignInResult = "succeeded" | "refused" | "throttled" | "busy";

/** Counts attempts by their end. */
export function signInCounter(metrics: Metrics): (result: SignInResult) => void {
  const attempts = new Counter({
    name: "gatehouse_sign_in_attempts_total",
    help: "Attempts to sign in with a password: succeeded, refused, throttled, or turned away because too many passwords were being checked (busy).",
    labelNames: ["result"],
    registers: [metrics],
  });
  return (result) => attempts.inc({ result });
}
