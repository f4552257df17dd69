import { Metadata } from "@grpc/grpc-js";

/** Tells our names from those that HTTP/2 and grpc-js put into the same headers. */
const PREFIX = "gatehouse-reply-";

/** What a method told beside its answer, as gRPC's initial metadata; a trailer would come after the answer. */
export function toReplyMetadata(told: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(told)) metadata.set(PREFIX + name, value);
  return metadata;
}

/** What the method told; `undefined` when it told nothing. */
export function parseReplyMetadata(metadata: Metadata): Readonly<Record<string, string>> | undefined {
  const told = Object.entries(metadata.getMap()).filter(([name]) => name.startsWith(PREFIX));
  return told.length === 0
    ? undefined
    : Object.fromEntries(told.map(([name, value]) => [name.slice(PREFIX.length), String(value)]));
}
