import type { ProblemCode } from "#generated/problems.ts";
import type { Failure } from "#runtime/basis/errors.ts";
import type { AnyReply, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";

/** A problem that an operation answers with (RFC 9457). */
export interface Problem {
  readonly code: ProblemCode;
  /** In place of the kind's own sentence. */
  readonly detail?: string;
  readonly errors?: readonly InvalidPart[];
  /** Of the feed, where the kept part begins. */
  readonly keptFrom?: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** What operations with an API key have in common on the gateway; made by the door of the domain that keeps keys. */
export interface Keyed {
  /** Answers a request by one call with the proof of its key; a key that may not is refused in the gateway's words. */
  withKey(
    request: EdgeRequest,
    asked: {
      readonly scope: "webhooks";
      answer(options: CallOptions): Promise<AnyReply | { readonly problem: Problem }>;
      problemOf(failure: Failure): Problem | undefined;
    },
  ): Promise<AnyReply>;
  /** Answers a request that needs no key. */
  withoutKey(
    request: EdgeRequest,
    asked: {
      answer(options: CallOptions): Promise<AnyReply | { readonly problem: Problem }>;
      problemOf(failure: Failure): Problem | undefined;
    },
  ): Promise<AnyReply>;
  /** The address of a path on the gateway. */
  addressOf(path: string): string;
  /** The cursor of a list for one key, around a position of the services'. */
  toCursor(request: EdgeRequest, position: string): string;
  /** The position in a cursor; `undefined` if the text is not a cursor, or one of another list or key. */
  parseCursor(request: EdgeRequest, cursor: string): string | undefined;
}
