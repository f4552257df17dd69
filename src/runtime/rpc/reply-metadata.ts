import { Metadata } from "@grpc/grpc-js";

/** Distinguishes our names from those that HTTP/2 and grpc-js add to the same headers. */
const PREFIX = "gatehouse-reply-";

/** A method's reply metadata as gRPC's initial metadata; a trailer would come after the answer. */
export function toReplyMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(PREFIX + name, value);
  return metadata;
}

/** The method's reply metadata; `undefined` when there is none. */
export function parseReplyMetadata(metadata: Metadata): Readonly<Record<string, string>> | undefined {
  const values = Object.entries(metadata.getMap()).filter(([name]) => name.startsWith(PREFIX));
  return values.length === 0
    ? undefined
    : Object.fromEntries(values.map(([name, value]) => [name.slice(PREFIX.length), String(value)]));
}
