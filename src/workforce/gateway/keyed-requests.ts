import type { ProblemCode } from "#generated/problems.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { AnyReply, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import type { KeyScope } from "../integrations/key-scope.ts";
import { failureReply, problemReply } from "./gateway-error.ts";
import { keyIn, withKey } from "./keyed-request.ts";
import { type CursorScope, openCursor, sealCursor } from "./sealed-cursor.ts";

/** A problem that an operation of another domain answers with. */
interface KeyedProblem {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly InvalidPart[];
  readonly keptFrom?: string;
  readonly retryAfterSeconds?: number | undefined;
}

interface KeyedAnswer {
  readonly scope: KeyScope;
  /** Makes the one call of the request with these options. */
  answer(options: CallOptions): Promise<AnyReply | { readonly problem: KeyedProblem }>;
  /** What a failure of its services is on the wire; `undefined` for those that every operation of the gateway has. */
  problemOf(failure: Failure): KeyedProblem | undefined;
}

/**
 * How another domain answers requests with an API key on the gateway: keys, rates, problems and cursors are the same as
 * those of the reads. The door of webhooks says in its own words what it needs (gateway/keyed.ts there).
 */
export const keyedRequests = (gatewayUrl: string) => ({
  withKey: (request: EdgeRequest, { scope, answer, problemOf }: KeyedAnswer): Promise<AnyReply> =>
    withKey(
      { gatewayUrl },
      request,
      async (options, facts) => {
        const answered = await answer(options);
        return "problem" in answered
          ? problemReply(answered.problem.code, { ...facts, ...answered.problem })
          : answered;
      },
      (failure, facts) => {
        const problem = problemOf(failure);
        return problem === undefined
          ? failureReply(failure, facts, scope)
          : problemReply(problem.code, { ...facts, ...problem }, problem.retryAfterSeconds);
      },
    ),

  /** For what everybody may ask: the same problems, without a key. */
  async withoutKey(request: EdgeRequest, { answer, problemOf }: Omit<KeyedAnswer, "scope">): Promise<AnyReply> {
    const { requestId } = request;
    const facts = { gatewayUrl, requestId };
    try {
      const answered = await answer({ metadata: request.trace, requestId });
      return "problem" in answered ? problemReply(answered.problem.code, { ...facts, ...answered.problem }) : answered;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const problem = problemOf(error);
      return problem === undefined ? failureReply(error, facts) : problemReply(problem.code, { ...facts, ...problem });
    }
  },

  addressOf: (path: string): string => `${gatewayUrl}${path}`,

  /** The cursor of a list for one key, around a position of the services'. */
  toCursor: (request: EdgeRequest, position: string): string => sealCursor(cursorScope(request), position),

  /** The position in a cursor; `undefined` if the text is not a cursor, or one of another list or key (R-X297). */
  parseCursor: (request: EdgeRequest, cursor: string): string | undefined => openCursor(cursorScope(request), cursor),
});

const cursorScope = (request: EdgeRequest): CursorScope => ({ key: keyIn(request), list: request.operationId });
