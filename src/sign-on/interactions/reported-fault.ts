import type { NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { Failure, publicFailure } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/process/log.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";
import { factsOfCall } from "#runtime/rpc/call.ts";
import type { RefusingCall } from "../refusals/noting.ts";
import { refuse } from "../refusals/refused.ts";
import { type RefusalTarget, refusalStep } from "./authorization-response.ts";

/** True when a retry helps: a part is busy, or unavailable for a moment. */
export const isPassing = (error: unknown): boolean => error instanceof Failure && error.retryAfterSeconds !== undefined;

/**
 * The step that reports a fault to an application at its proven redirect URI: `temporarily_unavailable` when a retry
 * helps, else `server_error` (spec §7.1, RFC 6749 §4.1.2.1, R-X160). Logs the fault, since it no longer reaches a
 * boundary.
 * @throws the fault itself when the browser has given up meanwhile.
 */
export type ReportFault = (
  error: unknown,
  target: RefusalTarget,
  call: RefusingCall,
  endedInteractionId?: string | undefined,
) => NextStep;

interface FaultDeps {
  readonly issuer: string;
  readonly log: Log;
  readonly metrics: Metrics;
}

export function faultReporter({ issuer, log, metrics }: FaultDeps): ReportFault {
  const faults = new Counter({
    name: "gatehouse_authorization_faults_total",
    help: "Faults of Gatehouse that were reported to an application at its redirect URI, by error code.",
    labelNames: ["error"],
    registers: [metrics],
  });
  for (const error of ["server_error", "temporarily_unavailable"]) faults.inc({ error }, 0);
  return (error, target, call, endedInteractionId) => {
    const { code, reason } = publicFailure(error);
    if (code === "CANCELLED") throw error;
    const detail = error instanceof Failure ? error.detail : undefined;
    const passing = isPassing(error);
    log[passing ? "info" : "error"]("A fault was reported to the application.", {
      ...factsOfCall(call),
      code,
      reason,
      detail,
      ...(passing ? {} : { error }),
    });
    const refused = refuse(passing ? "service.busy" : "service.failed");
    faults.inc({ error: refused.error });
    return refusalStep(target, issuer, refused, call, endedInteractionId);
  };
}
