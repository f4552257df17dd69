import type { Call } from "#runtime/rpc/call.ts";

interface Codec<M> {
  encode(message: M): { finish(): Uint8Array };
  decode(bytes: Uint8Array): M;
}

/** How a write is remembered: under its caller, method and request id, by the digest of its content, with its answer (R-G18). */
export const repeatable = <Request extends object, Answer>(
  request: Request & { readonly requestId: string },
  { path, peer, requestId }: Call,
  requestCodec: Pick<Codec<Request>, "encode">,
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
