import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";

/** Why a sign-in of a known person failed. */
export type SignInFailure = "wrong_password" | "person_disabled";

/** One attempt of a person to sign in, as the person may see it later. Its origin is stored only roughly. */
export interface SignIn {
  readonly personId: PersonId;
  readonly at: Date;
  readonly outcome: "succeeded" | "failed";
  /** Set when it failed. */
  readonly reason: SignInFailure | undefined;
  /** Absent for the account itself. */
  readonly applicationId: ApplicationId | undefined;
  readonly instanceId: InstanceId | undefined;
  /** What the browser calls itself, at most `USER_AGENT_LENGTH_MAX` characters; untrusted. */
  readonly userAgent: string | undefined;
  /** The network that it came from: an IPv4 prefix of 24 bits or an IPv6 prefix of 48, in CIDR notation (R-X86). */
  readonly network: string | undefined;
}

export const USER_AGENT_LENGTH_MAX = 256;
/**
 * How many successes and how many failures are kept for each person: a flood of failures displaces no success (R-X86).
 */
export const SIGN_INS_KEPT = 50;
/** How long they are kept. */
export const SIGN_IN_KEPT_DAYS = 90;

/** A `User-Agent` as stored: printable characters only, truncated; `undefined` when nothing is left. */
export function keptUserAgent(userAgent: string): string | undefined {
  const printable = userAgent.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, "").trim();
  return printable === "" ? undefined : printable.slice(0, USER_AGENT_LENGTH_MAX);
}

const SIGN_IN_RESULTS = ["succeeded", "refused", "throttled", "busy"] as const;

/** How an attempt to sign in ended. */
export type SignInResult = (typeof SIGN_IN_RESULTS)[number];

/** Counts attempts by their end. */
export function signInCounter(metrics: Metrics): (result: SignInResult) => void {
  const attempts = new Counter({
    name: "gatehouse_sign_in_attempts_total",
    help: "Attempts to sign in with a password: succeeded, refused, throttled, or turned away because too many passwords were being checked (busy).",
    labelNames: ["result"],
    registers: [metrics],
  });
  // An alert compares failures with successes, and a series that is not there compares with nothing.
  for (const result of SIGN_IN_RESULTS) attempts.inc({ result }, 0);
  return (result) => attempts.inc({ result });
}
