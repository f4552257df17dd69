import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import { GRACE_MS } from "#runtime/process/lifecycle.ts";
import { switchSchema, textList, wholeNumber } from "#runtime/process/setting-schemas.ts";
import { defineSettings, type Mistake, mistake, setting, type Values } from "#runtime/process/settings.ts";
import { type PortRange, parsePortRange, writtenPortRange } from "./endpoints/endpoint-port.ts";
import { type Network, parseNetwork, writtenNetwork } from "./endpoints/public-address.ts";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: MINUTE_MS, h: HOUR_MS };

function toMilliseconds(text: string): number {
  const [, count, unit = ""] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  return count === undefined ? Number.NaN : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

/** Of a worker's time to stop: how long it still reports outcomes. */
export const LAST_REPORTS_MS = 3_000;

/** A stop cuts no attempt off that is under way. */
const TIMEOUT_MS_MAX = GRACE_MS - LAST_REPORTS_MS;

const PART_MAX = 0.5;
const LEASE_MS_MAX = 600_000;

/** The longest times of any settings: what is stored for later than that was written by a clock that was ahead. */
export const LONGEST = { waitMs: DAY_MS * (1 + PART_MAX), leaseMs: LEASE_MS_MAX } as const;

/** A part of one, as a number or as text of digits. */
const part = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d+(?:\.\d+)?$/)
        .transform(Number),
    ],
    { error: "must be a number" },
  )
  .pipe(z.number().max(PART_MAX, "must be at most 0.5").min(0, "must be at least 0"));

const delays = textList
  .transform((texts): readonly number[] => texts.map(toMilliseconds))
  .refine((ms) => ms.length >= 1 && ms.length <= 2 && ms.every((one) => one >= 0 && one <= DAY_MS), {
    error: "must be one or two waits of at most 24h, like 1m,60m",
  });

/** In minutes at most: 60m, as the contract names the wait, not 1h. */
function writtenWait(ms: number): string {
  if (ms % MINUTE_MS === 0) return `${ms / MINUTE_MS}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

const networkList = textList.transform((texts, issues): readonly Network[] =>
  texts
    .filter((text) => text !== "")
    .flatMap((text) => {
      const network = parseNetwork(text);
      if (network === undefined) issues.addIssue(`${text} is no network like 10.0.0.0/8 or fd00::/8`);
      return network === undefined ? [] : [network];
    }),
);

const portList = textList.transform((texts, issues): readonly PortRange[] =>
  texts
    .filter((text) => text !== "")
    .flatMap((text) => {
      const range = parsePortRange(text);
      if (range === undefined) issues.addIssue(`${text} is no port like 8443, nor a range like 8000-8999`);
      return range === undefined ? [] : [range];
    }),
);

export const webhooksSettings = defineSettings({
  "webhook-attempt-delays": setting({
    schema: delays,
    fallback: [MINUTE_MS, HOUR_MS],
    written: (waits) => waits.map(writtenWait).join(","),
    meaning:
      "Waits before the second and the third attempt of a delivery, like 1m,60m; fixed for a delivery when it is made.",
    neededBy: ["services"],
  }),
  "webhook-jitter": setting({
    schema: part,
    fallback: 0.2,
    meaning: "The part of a wait by which it is shortened or lengthened at random, so that retries spread.",
    neededBy: ["services"],
  }),
  "webhook-allowed-networks": setting({
    schema: networkList,
    fallback: [],
    written: (networks) => networks.map(writtenNetwork).join(","),
    meaning:
      "Networks that are not public and may be sent to all the same, like 10.1.0.0/16,fd00:1::/32. For development and private networks.",
    neededBy: ["services", "worker"],
  }),
  "webhook-allow-http": setting({
    schema: switchSchema,
    fallback: false,
    meaning: "Endpoints may be http. For development only: events would travel in the clear.",
    neededBy: ["services", "worker"],
  }),
  "webhook-endpoint-ports": setting({
    schema: portList,
    fallback: [],
    written: (ranges) => ranges.map(writtenPortRange).join(","),
    meaning:
      "The ports that endpoints may have, like 443,8000-8999. Empty: 443, 80 for http, and those from 1024 on that are not known for databases, queues, remote control or other services.",
    neededBy: ["services", "worker"],
  }),
  "webhook-timeout-ms": setting({
    schema: wholeNumber(100, TIMEOUT_MS_MAX),
    fallback: 15_000,
    unit: "milliseconds",
    meaning:
      "How long one attempt may take, from looking up the name to the last byte of the answer. A stop waits for what is under way, and has no time for more.",
    neededBy: ["services", "worker"],
  }),
  "webhook-connect-timeout-ms": setting({
    schema: wholeNumber(100, 60_000),
    fallback: 5_000,
    unit: "milliseconds",
    meaning: "How long connecting may take, TLS included.",
    neededBy: ["worker"],
  }),
  "webhook-lease-ms": setting({
    schema: wholeNumber(200, LEASE_MS_MAX),
    fallback: 60_000,
    unit: "milliseconds",
    meaning:
      "How long a worker has for a claimed attempt; after that it counts as spent. At least twice webhook-timeout-ms.",
    neededBy: ["services", "worker"],
  }),
  "webhook-retry-compare-ms": setting({
    schema: wholeNumber(500, 600_000),
    fallback: 15_000,
    unit: "milliseconds",
    meaning:
      "How often the deliveries that Temporal was given are compared with the workflows that run there; one that is missing is given again.",
    neededBy: ["worker"],
  }),
  "webhook-concurrency": setting({
    schema: wholeNumber(1, 10_000),
    fallback: 512,
    meaning:
      "How many attempts one worker sends at once; half of them are kept for endpoints that answer promptly, and of all of them an integration leaves one in sixteen.",
    neededBy: ["worker"],
  }),
  "webhook-body-days": setting({
    schema: wholeNumber(1, 3_650),
    fallback: 30,
    unit: "days",
    meaning:
      "How long the body of a settled delivery is kept; after that it can no longer be shown or sent again. At most as long as its delivery.",
    neededBy: ["services"],
  }),
  "webhook-delivery-days": setting({
    schema: wholeNumber(1, 3_650),
    fallback: 90,
    unit: "days",
    meaning: "How long a settled delivery is kept, with its attempts, counted from when it was made.",
    neededBy: ["services"],
  }),
  "webhook-recovery-share": setting({
    schema: part,
    fallback: 0.2,
    meaning:
      "The part of webhook-concurrency-per-endpoint that recoveries may use of each host and port; one attempt at least, so that 0 means one at a time.",
    neededBy: ["services"],
  }),
  "webhook-concurrency-per-endpoint": setting({
    schema: wholeNumber(1, 1_000),
    fallback: 50,
    meaning:
      "How many attempts are under way at once to one host and port, over all workers; one subscription has at most four fifths of them, as few as it can use while others send, slow ones together half.",
    neededBy: ["services", "worker"],
  }),
});

export type WebhooksSettings = Values<typeof webhooksSettings>;

/**
 * What settings that are right each for itself get wrong together. `drainMs` is the time of a stop that other parts of
 * the process take before the worker's turn.
 */
export function webhookMistakes(settings: WebhooksSettings, drainMs = 0): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  if (settings["webhook-lease-ms"] < 2 * settings["webhook-timeout-ms"]) {
    mistakes.push(
      mistake(
        "webhook-lease-ms must be at least twice webhook-timeout-ms, or attempts would be taken for lost while they are sent.",
        "webhook-lease-ms",
        "webhook-timeout-ms",
      ),
    );
  }
  if (settings["webhook-timeout-ms"] + drainMs > TIMEOUT_MS_MAX) {
    mistakes.push(
      mistake(
        `webhook-timeout-ms and drain-milliseconds together must be at most ${TIMEOUT_MS_MAX} where edge and worker are one process, or a stop would cut off attempts that are under way.`,
        "webhook-timeout-ms",
        "drain-milliseconds",
      ),
    );
  }
  return mistakes;
}
