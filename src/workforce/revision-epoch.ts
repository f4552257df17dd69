import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { Call, Implementation } from "#runtime/rpc/call.ts";
import type { KnownRevision } from "./revisions.ts";

type Methods = Implementation<typeof GatewayService>;

/** More than any store raises in a millisecond; a safe integer until the year 2255. */
const REVISIONS_PER_MS = 1_000;

/** Which epoch a store is in. */
interface Epoch {
  readonly epoch: number;
  readonly epochBeganAt: Date;
}

/**
 * Puts the beginning of the store's epoch into the revisions of every method of the gateway. After a restore, revisions
 * of the backup are given to other content: a caller that names one of an earlier epoch gets the content (R-X247). That
 * holds for each restore of one backup, since no two begin at the same moment (R-X336).
 */
export function inEpoch({ epoch, epochBeganAt }: Epoch, methods: Methods): Methods {
  // Revisions of a store that was never restored are as stored, and each call is one step shorter.
  if (epoch === 1) return methods;
  const before = epochBeganAt.getTime() * REVISIONS_PER_MS;
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
