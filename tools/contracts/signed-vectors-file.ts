import { type MessageExample, signedVectors, TOLERANCE_SECONDS } from "./signed-vectors.ts";

interface EventsDocument {
  readonly info: { readonly version: string };
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly examples: readonly MessageExample[] }>
    >;
  };
}

/** The published file of vectors, as JSON: five for the first example of every event type of the AsyncAPI bundle. */
export function signedVectorsFile({ info, components }: EventsDocument): string {
  const vectors = Object.values(components.messages).flatMap(({ name, examples: [example] }) => {
    if (example === undefined) throw new Error(`webhooks.asyncapi.yaml: the message ${name} has no example to sign`);
    return signedVectors(example);
  });
  const file = {
    title:
      "Signed deliveries to test a verifier with (Standard Webhooks v1, HMAC-SHA256 over webhook-id.webhook-timestamp.body)",
    version: info.version,
    toleranceSeconds: TOLERANCE_SECONDS,
    vectors,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
