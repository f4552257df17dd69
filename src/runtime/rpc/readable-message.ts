import { configureTextEncoding, getTextEncoding } from "@bufbuild/protobuf/wire";
import { Failure } from "../basis/errors.ts";
import type { MethodDefinition, Registration, Stage } from "./call.ts";

/** Replaces a message that cannot be decoded as its type. */
const UNREADABLE = Symbol("unreadable message");

// Text of protobuf is UTF-8. By default invalid bytes would become U+FFFD, and text that no caller sent would be
// stored.
const encoding = getTextEncoding();
configureTextEncoding({ ...encoding, decodeUtf8: (bytes) => encoding.decodeUtf8(bytes, true) });

/** Decodes a request; never throws, so that `guardMessages` can refuse it where calls are logged and measured. */
export const readMessage =
  (method: MethodDefinition) =>
  (bytes: Buffer): unknown => {
    try {
      return method.requestDeserialize(bytes);
    } catch {
      return UNREADABLE;
    }
  };

/** Wraps the methods so that unreadable messages are refused: INVALID_ARGUMENT (unreadable_message). */
export function guardMessages({ definition, methods }: Registration): Registration {
  const guarded = Object.entries(methods).map(([name, method]): [string, Stage] => [
    name,
    definition[name]?.requestStream === true
      ? (requests, call) => method(readableOnes(requests as AsyncIterable<unknown>), call)
      : (request, call) => method(assertReadable(request), call),
  ]);
  return { definition, methods: Object.fromEntries(guarded) };
}

async function* readableOnes(requests: AsyncIterable<unknown>): AsyncIterable<unknown> {
  for await (const request of requests) yield assertReadable(request);
}

function assertReadable(request: unknown): unknown {
  if (request === UNREADABLE) {
    throw new Failure(
      "INVALID_ARGUMENT",
      "unreadable_message",
      "The message is not of the kind that this method takes.",
    );
  }
  return request;
}
