import { Failure } from "#runtime/basis/errors.ts";
import type { AnyReply, EdgeRequest } from "#runtime/http/operation.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import { type ApiKeyProof, callerIn, proofOf, toProofMetadata } from "../integrations/api-key.ts";
import { rateFields } from "../rate-limits/rate-limit-wire.ts";
import { failureReply, type ProblemFacts, problemReply } from "./gateway-error.ts";

/** The key of a request. A header that is not a single text is rejected before this value matters. */
export const keyIn = ({ headers }: EdgeRequest): string => String(headers["x-api-key"]);

/**
 * Runs the one call of a request with the proof of its key, adds the key's rate-limit headers (R-G12), and turns a
 * Failure into an answer. @throws any other error: a fault of the edge.
 */
export async function withKey(
  { gatewayUrl }: Pick<ProblemFacts, "gatewayUrl">,
  request: EdgeRequest,
  answer: (options: CallOptions, facts: ProblemFacts, proof: ApiKeyProof) => Promise<AnyReply>,
  failed: (failure: Failure, facts: ProblemFacts) => AnyReply = failureReply,
): Promise<AnyReply> {
  const { requestId } = request;
  const facts = { gatewayUrl, requestId };
  const proof = proofIn(request);
  if (proof === undefined) return problemReply("unauthorized", facts);
  let said: Readonly<Record<string, string>> | undefined;
  const onMetadata = (metadata: Readonly<Record<string, string>>) => {
    said = metadata;
  };
  try {
    const options = { metadata: { ...toProofMetadata(proof), ...request.trace }, requestId, onMetadata };
    return withSaid(await answer(options, facts, proof), said);
  } catch (error) {
    if (error instanceof Failure) return withSaid(failed(error, facts), said);
    throw error;
  }
}

/**
 * The answer with what services said of the key: its id, for the log (R-X432), and its rate. Answers from 500 up have no rate-limit
 * fields in the contract: they report our own faults and say nothing about the key. Neither has 401, also where the key was valid before
 * it waited (R-X290).
 */
function withSaid(reply: AnyReply, said: Readonly<Record<string, string>> | undefined): AnyReply {
  if (said === undefined) return reply;
  const rates = reply.status === 401 || reply.status >= 500 ? {} : rateFields(said);
  return { ...reply, caller: callerIn(said), headers: { ...reply.headers, ...rates } };
}

/** Proof of the key, which must be in its header exactly once (R-G11). */
function proofIn(request: EdgeRequest) {
  const key = request.headers["x-api-key"];
  return typeof key === "string" && request.countOf("x-api-key") === 1 ? proofOf(key) : undefined;
}
