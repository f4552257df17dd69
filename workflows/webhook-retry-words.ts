import type { RoundName, RoundProgress } from "./webhook-retry-activities.ts";

/** What operators read about a delivery in trouble. Pure, so that a replay says the same; only what R-E15 allows. */

const CAUSES: Readonly<Record<string, string>> = {
  redirect: "a redirect, which is not followed",
  timeout: "no answer in time",
  dns: "the endpoint's name was not found",
  tls: "TLS failed: see the endpoint's certificate",
  connection: "no connection",
  address: "the endpoint's address is not allowed",
  protocol: "the answer broke HTTP or was cut off",
  lost: "how it ended is not known: the worker was lost",
};

/** `503`, or the class of what came instead of an answer: `timeout`. */
export const lastStatusOf = ({ lastHttpStatus, lastOutcome }: RoundProgress): string =>
  lastHttpStatus === undefined ? lastOutcome : String(lastHttpStatus);

/** `answered 503`, or why there was no answer. */
export function lastAnswer({ lastHttpStatus, lastOutcome }: RoundProgress): string {
  const cause = CAUSES[lastOutcome];
  if (lastHttpStatus === undefined) return cause ?? (lastOutcome || "nothing yet");
  return cause === undefined ? `answered ${lastHttpStatus}` : `answered ${lastHttpStatus}: ${cause}`;
}

const UNITS = [
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** `1 h 5 min`, `59 s`: the two largest units, rounded. */
export function inWords(milliseconds: number): string {
  let rest = Math.max(1_000, Math.round(milliseconds / 1_000) * 1_000);
  const parts: string[] = [];
  for (const [unitMs, unit] of UNITS) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(" ");
}

/** `user.updated to acme-hr`. */
export const roundSummary = ({ eventType, subscription }: RoundName): string => `${eventType} to ${subscription}`;

/** Of the activity that makes the next attempt. */
export const attemptSummary = (name: RoundName, { attempts, attemptsMax }: RoundProgress): string =>
  `${roundSummary(name)}, attempt ${Math.min(attempts + 1, attemptsMax)} of ${attemptsMax}`;

/** Of the timer before it. */
export function waitSummary(progress: RoundProgress): string {
  const { kind, attempts, attemptsMax, waitMs } = progress;
  if (kind === "underWay") return `attempt ${attempts} is with another worker; ask again in ${inWords(waitMs)}`;
  return `${lastAnswer(progress)}; wait ${inWords(waitMs)} before attempt ${attempts + 1} of ${attemptsMax}`;
}

/** What an operator may do, in Markdown; true from the beginning to the end. */
export const roundDetails = (name: RoundName): string =>
  [
    `The delivery \`${name.deliveryId}\` (round ${name.round}) failed at its first attempt. This workflow waits and makes the others.`,
    "",
    "- **Do nothing**: the next attempt is made in time; the timeline shows when.",
    "- **Deliver now**: send the update `deliverNow`. It makes the next attempt at once, and counts as one.",
    "- **Give up**: request cancellation. The delivery becomes *cancelled*.",
    "",
    "Terminating gives nothing up: the delivery still waits in the store, and a new run appears within a minute.",
  ].join("\n");

/** The round's progress, in Markdown. */
export function currentDetails(name: RoundName, progress: RoundProgress, nextAt: Date): string {
  const { attempts, attemptsMax } = progress;
  return [
    `### ${roundSummary(name)} is not delivered yet`,
    "",
    `- attempts made: **${attempts} of ${attemptsMax}**`,
    `- the last one: **${lastAnswer(progress)}**`,
    `- the next one: **${nextAt.toISOString().slice(0, 19).replace("T", " ")} UTC**`,
  ].join("\n");
}

const ENDINGS: Readonly<Record<string, string>> = {
  subscription_paused: "its subscription is paused",
  subscription_disabled: "its subscription is disabled",
  subscription_pending: "its endpoint has not acknowledged a ping yet",
  pull_only: "its subscription has no endpoint",
  subscription_deleted: "its subscription was deleted",
  instance_integration_unconfigured: "its instance integration is not configured",
  instance_integration_revoked: "its instance integration was revoked",
  operator: "an operator said so",
  body_removed: "its body is no longer kept",
  store_restored: "the store was restored from a backup",
};

/** How a round ended that did not fail. */
export function endedSentence({ kind, attempts, attemptsMax, reason = "" }: RoundProgress): string {
  if (kind === "delivered") return `Delivered at attempt ${attempts} of ${attemptsMax}.`;
  return `Not delivered: ${kind}, because ${ENDINGS[reason] ?? (reason || "the store says so")}.`;
}

/** The one sentence that the Temporal UI shows of an exhausted delivery. */
export function exhaustedSentence(name: RoundName, progress: RoundProgress): string {
  const { attempts, reason } = progress;
  const made = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const what = `${roundSummary(name)}: not delivered after ${made}; the last one: ${lastAnswer(progress)}.`;
  return reason === "gone"
    ? `${what} The endpoint says that it is gone, so its subscription was disabled.`
    : `${what} Nothing more is sent for this delivery: tell the subscriber, who can read the current state by the API.`;
}
