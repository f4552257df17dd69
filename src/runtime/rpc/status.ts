import { Metadata, type ServiceError, type StatusObject, status } from "@grpc/grpc-js";
import { FAILURE_CODES, Failure, type FailureCode, type FieldViolation, publicFailure } from "../basis/errors.ts";
import { cancelled, deadlineExceeded } from "./call.ts";

const REASON = "gatehouse-reason";
const RETRY_AFTER = "gatehouse-retry-after";
const VIOLATIONS = "gatehouse-violations-bin";
const NAMED = "gatehouse-named";

/** A failure as gRPC sends it: code, sentence as details, and what else is public of it as trailing metadata. */
export function toStatus(error: unknown): Partial<StatusObject> & { code: status } {
  const failure = publicFailure(error);
  const metadata = new Metadata();
  metadata.set(REASON, failure.reason);
  if (failure.retryAfterSeconds !== undefined) metadata.set(RETRY_AFTER, String(failure.retryAfterSeconds));
  if (failure.violations.length > 0) metadata.set(VIOLATIONS, Buffer.from(JSON.stringify(failure.violations)));
  for (const field of failure.named) metadata.add(NAMED, field);
  return { code: status[failure.code], details: failure.message, metadata };
}

/**
 * A gRPC error as our failure. Errors that grpc-js makes itself (no connection, deadline, size) carry no reason of ours
 * and get one sentence per code, since grpc-js' own texts name addresses and versions.
 */
export function toFailure(error: unknown): Failure {
  const { code, details, metadata } = error as ServiceError;
  const reason = metadata?.get(REASON)[0];
  if (reason === undefined) return fromTransport(code, details, error);
  const retryAfter = metadata.get(RETRY_AFTER)[0];
  const violations = metadata.get(VIOLATIONS)[0];
  return new Failure(codeName(code), String(reason), details, {
    retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
    violations: violations === undefined ? [] : (JSON.parse(violations.toString()) as FieldViolation[]),
    named: metadata.get(NAMED).map(String),
  });
}

function fromTransport(code: number | undefined, details: string | undefined, cause: unknown): Failure {
  if (code === status.DEADLINE_EXCEEDED) return deadlineExceeded();
  if (code === status.CANCELLED) return cancelled();
  if (code === status.UNAVAILABLE) {
    return new Failure("UNAVAILABLE", "unavailable", "The service cannot be reached.", {
      retryAfterSeconds: 2,
      detail: details,
      cause,
    });
  }
  if (code === status.RESOURCE_EXHAUSTED) {
    return new Failure("RESOURCE_EXHAUSTED", "message_too_large", "The message is too large.", {
      detail: details,
      cause,
    });
  }
  if (code === status.UNIMPLEMENTED) {
    return new Failure("UNIMPLEMENTED", "unimplemented", "The method is not offered here.", { detail: details, cause });
  }
  return new Failure("INTERNAL", "internal", "Internal error", { detail: details, cause });
}

function codeName(code: number): FailureCode {
  const name = status[code] as FailureCode | undefined;
  return name !== undefined && FAILURE_CODES.includes(name) ? name : "INTERNAL";
}
