import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { Call, Implementation } from "#runtime/rpc/call.ts";
import type { KnownRevision } from "./revisions.ts";

type Methods = Implementation<typeof GatewayService>;

/** More than any revision; 8,000 times as much is still a safe integer. */
const REVISIONS_PER_EPOCH = 2 ** 40;

/**
 * Puts the store's epoch into the revisions of every method of the gateway. After a restore, revisions of the backup are
 * given to other content: a caller that names one of an earlier epoch gets the content (R-X247).
 */
export function inEpoch(epoch: number, methods: Methods): Methods {
  // Revisions of a store that was never restored are as stored, and each call is one step shorter.
  if (epoch === 1) return methods;
  const before = (epoch - 1) * REVISIONS_PER_EPOCH;
  const toStored = (request: KnownRevision): object =>
    request.knownRevision === null || request.knownRevision === undefined
      ? request
      : { ...request, knownRevision: Math.max(-1, request.knownRevision - before) };
  const toShown = (answer: object): object =>
    "revision" in answer ? { ...answer, revision: Number(answer.revision) + before } : answer;
  const unary = (method: Unary) => async (request: object, call: Call) =>
    toShown(await method(toStored(request), call));
  const streaming = (method: Streaming) =>
    async function* (request: object, call: Call) {
      for await (const answer of method(toStored(request), call)) yield toShown(answer);
    };
  const all = Object.entries(GatewayService).map(([name, { responseStream }]) => {
    const method = methods[name as keyof Methods];
    return [name, responseStream ? streaming(method as Streaming) : unary(method as Unary)];
  });
  return Object.fromEntries(all) as Methods;
}

type Unary = (request: object, call: Call) => Promise<object>;
type Streaming = (request: object, call: Call) => AsyncIterable<object>;
