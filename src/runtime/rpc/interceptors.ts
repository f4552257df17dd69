import { performance } from "node:perf_hooks";
import { isInstant } from "../basis/day.ts";
import { Failure, type FieldViolation, invalidArgument, isFault, publicFailure } from "../basis/errors.ts";
import type { Log } from "../process/log.ts";
import { Histogram, type Metrics } from "../process/metrics.ts";
import { type Call, factsOfCall, type Interceptor, type Peer, type Stage, serviceOf } from "./call.ts";

/** Lets only the peers of the access table call a service (access.ts). */
export function accessInterceptor(access: Readonly<Record<string, readonly Peer[]>>): Interceptor {
  return (next, method) => {
    const service = serviceOf(method.path);
    const allowed = access[service] ?? [];
    return (request, call) => {
      if (!allowed.includes(call.peer)) {
        throw new Failure("PERMISSION_DENIED", "forbidden_peer", `The peer ${call.peer} may not call ${service}.`);
      }
      return next(request, call);
    };
  };
}

/**
 * Refuses a NUL in any text of a request of these peers, and an instant outside the years 1 to 9999 (R-X26): some databases
 * take them, others fail. A stream's method reads its messages by itself.
 */
export function textInterceptor(peers: readonly Peer[]): Interceptor {
  return (next, method) => {
    if (method.requestStream) return next;
    return (request, call) => {
      const violations = peers.includes(call.peer) ? flawsIn("", request) : [];
      if (violations.length > 0) throw invalidArgument(violations);
      return next(request, call);
    };
  };
}

/** What is wrong below this field, by the paths in our own names: `address.postal_code`, `job_titles[1]`. */
function flawsIn(field: string, value: unknown): readonly FieldViolation[] {
  if (typeof value === "string") return value.includes("\0") ? [{ field, reason: "must not hold NUL" }] : [];
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  // Seconds of a timestamp may be any number, though its definition ends with the year 9999.
  if (value instanceof Date) return isInstant(value) ? [] : [{ field, reason: "must be an instant that there is" }];
  if (Array.isArray(value)) return value.flatMap((entry, index) => flawsIn(`${field}[${index}]`, entry));
  // A choice among fields has the name of the one that was taken.
  const parts = "$case" in value && "value" in value ? [[value.$case, value.value]] : Object.entries(value);
  const parent = "$case" in value ? field.slice(0, field.lastIndexOf(".") + 1) : field === "" ? "" : `${field}.`;
  return parts.flatMap(([name, part]) => flawsIn(`${parent}${snakeCase(String(name))}`, part));
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The boundary of the process that decides. Logs each refusal once, and faults as errors with their private half;
 * passes on only the public half. Measures every call. A worker's polls have no request id, and nobody looks for one of them: while they
 * are refused for the same reason, the first has its line (R-X175).
 */
export function boundaryInterceptor({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): Interceptor {
  const duration = new Histogram({
    name: "gatehouse_rpc_duration_seconds",
    help: "Time to answer a call, by method and status code.",
    labelNames: ["call", "code"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  /** Why the last poll of each method was refused. */
  const pollsRefused = new Map<string, string>();
  const report = (error: unknown, call: Call): Failure => {
    const failure = publicFailure(error);
    const { requestId, path } = call;
    const { code, reason } = failure;
    const check = error instanceof Failure ? error.check : undefined;
    const fields = { ...factsOfCall(call), code, reason, check };
    if (isFault(error)) log.error("A call failed.", { ...fields, detail: detailOf(error), error });
    else {
      const isKnown = requestId === "" && pollsRefused.get(path) === reason;
      if (requestId === "" && code === "UNAVAILABLE") pollsRefused.set(path, reason);
      log[isKnown ? "debug" : "info"]("A call was refused.", { ...fields, detail: detailOf(error) });
    }
    return failure;
  };
  return (next, method) => {
    const settled = (code: string, startedAt: number) =>
      duration.observe({ call: method.path, code }, (performance.now() - startedAt) / 1000);
    return method.responseStream
      ? (request, call) => reportStream(next, request, call, report, settled)
      : async (request, call) => {
          const startedAt = performance.now();
          try {
            const answer = await next(request, call);
            if (pollsRefused.size > 0) pollsRefused.delete(method.path);
            settled("OK", startedAt);
            return answer;
          } catch (error) {
            const failure = report(error, call);
            settled(failure.code, startedAt);
            throw failure;
          }
        };
  };
}

async function* reportStream(
  next: Stage,
  request: unknown,
  call: Call,
  report: (error: unknown, call: Call) => Failure,
  settled: (code: string, startedAt: number) => void,
): AsyncIterable<unknown> {
  const startedAt = performance.now();
  // Code of a stream whose reader leaves before the end.
  let code = "CANCELLED";
  try {
    yield* next(request, call) as AsyncIterable<unknown>;
    code = "OK";
  } catch (error) {
    const failure = report(error, call);
    code = failure.code;
    throw failure;
  } finally {
    settled(code, startedAt);
  }
}

const detailOf = (error: unknown): string | undefined => (error instanceof Failure ? error.detail : undefined);
