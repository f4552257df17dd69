/** A trace as metadata of our calls; empty when the request belongs to no trace. */
export type TraceMetadata = Readonly<Record<"traceparent", string>> | Readonly<Record<never, never>>;

/** Version, trace id, parent id, flags; a later version may have more behind a hyphen. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Metadata for the calls that a request makes: its `traceparent`, as version 00 and without what a later version adds.
 * A malformed or repeated header is ignored (W3C Trace Context §3.2, §4.3).
 */
export function traceMetadata(traceparent: string | readonly string[] | undefined): TraceMetadata {
  if (typeof traceparent !== "string") return {};
  const [, version, traceId = "", parentId = "", flags = "", more] = TRACEPARENT.exec(traceparent) ?? [];
  const valid = version !== undefined && version !== "ff" && !(version === "00" && more !== undefined);
  if (!valid || isZero(traceId) || isZero(parentId)) return {};
  return { traceparent: `00-${traceId}-${parentId}-${flags}` };
}

/** The trace id, 32 hexadecimal digits, for the log; `undefined` where `traceMetadata` is empty. */
export function traceIdOf(traceparent: string | readonly string[] | undefined): string | undefined {
  const trace = traceMetadata(traceparent);
  return "traceparent" in trace ? trace.traceparent.slice(3, 35) : undefined;
}

const isZero = (digits: string): boolean => /^0+$/.test(digits);
