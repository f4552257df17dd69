import { Metadata } from "@grpc/grpc-js";
import { DAY_MS } from "../basis/durations.ts";

/** Metadata of a call: when its caller gives up, in milliseconds since the machine started. */
export const GIVEN_UP_AT = "gatehouse-given-up-at";

/**
 * Beyond this the two ends use clocks of different machines, or the callee was stopped for so long that its calls no
 * longer matter.
 */
const BEHIND_MS_MAX = DAY_MS;

/**
 * Both ends of a Unix socket are on one machine, where all processes share a clock that cannot be set
 * (CLOCK_MONOTONIC); the wall clock may be set during a call.
 */
const sinceStartMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

export const givenUpAt = (deadlineMs: number): string => String(sinceStartMs() + deadlineMs);

/**
 * How long the caller still waits, negative when it has given up; `undefined` when it did not say, or uses another
 * clock.
 */
export function leftOf(sent: string | Buffer | undefined): number | undefined {
  const leftMs = Number(sent ?? Number.NaN) - sinceStartMs();
  return Number.isFinite(leftMs) && leftMs > -BEHIND_MS_MAX ? leftMs : undefined;
}

/** Distinguishes our names from those that HTTP/2 and grpc-js add to the same headers. */
const PREFIX = "gatehouse-reply-";

/** A method's reply metadata as gRPC's initial metadata; a trailer would come after the answer. */
export function toReplyMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(PREFIX + name, value);
  return metadata;
}

/** The method's reply metadata; `undefined` when there is none. */
export function parseReplyMetadata(metadata: Metadata): Readonly<Record<string, string>> | undefined {
  const values = Object.entries(metadata.getMap()).filter(([name]) => name.startsWith(PREFIX));
  return values.length === 0
    ? undefined
    : Object.fromEntries(values.map(([name, value]) => [name.slice(PREFIX.length), String(value)]));
}
