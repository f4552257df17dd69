import { keyPairVectors, type MessageExample, signedVectors, TOLERANCE_SECONDS } from "./signed-vectors.ts";

interface EventsDocument {
  readonly info: { readonly version: string };
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly examples: readonly MessageExample[] }>
    >;
  };
}

/**
 * The published file of vectors, as JSON: five for the first example of every event type of the AsyncAPI bundle, and six
 * with a key pair for that of the first type. Those are a list of their own: libraries that know `v1` alone read the other.
 */
export function signedVectorsFile({ info, components }: EventsDocument): string {
  const examples = Object.values(components.messages).map(({ name, examples: [example] }) => {
    if (example === undefined) throw new Error(`webhooks.asyncapi.yaml: the message ${name} has no example to sign`);
    return example;
  });
  const file = {
    title:
      "Signed deliveries to test a verifier with (Standard Webhooks v1, HMAC-SHA256 over webhook-id.webhook-timestamp.body)",
    version: info.version,
    toleranceSeconds: TOLERANCE_SECONDS,
    vectors: examples.flatMap(signedVectors),
    keyPairTitle:
      "The same with a key pair (Standard Webhooks v1a, Ed25519 over the same bytes), for a verifier that has the public key",
    keyPairVectors: examples.slice(0, 1).flatMap(keyPairVectors),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
