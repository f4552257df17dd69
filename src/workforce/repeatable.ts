import type { Call } from "#runtime/rpc/call.ts";

interface Codec<M> {
  encode(message: M): { finish(): Uint8Array };
  decode(bytes: Uint8Array): M;
}

/** How a write is remembered: under its caller, method and request id, by the digest of its content, with its answer (R-G18). */
export const repeatable = <Request extends { readonly requestId: string }, Answer>(
  request: Request,
  { path, peer, requestId }: Call,
  requestCodec: Codec<Request>,
  answer: Codec<Answer>,
) => ({
  requestId,
  repeat: {
    requestId: request.requestId,
    caller: peer,
    method: path,
    content: requestCodec.encode(request).finish(),
    answer,
  },
});
