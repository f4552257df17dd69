import { genuineSignature, type MessageExample } from "./signed-vectors.ts";

interface EventsDocument {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly examples: readonly MessageExample[] }>>;
  };
}

/** Examples whose headers do not match their payload: one line for each header, with the right value. */
export const signatureDepartures = ({ components }: EventsDocument): readonly string[] =>
  Object.entries(components.messages).flatMap(([message, { examples }]) =>
    examples.flatMap((example, index) => {
      const expected = { "webhook-id": example.payload.id, "webhook-signature": genuineSignature(example) };
      return Object.entries(expected)
        .filter(([header, value]) => example.headers[header] !== value)
        .map(
          ([header, value]) => `#/components/messages/${message}/examples/${index}/headers/${header}: must be ${value}`,
        );
    }),
  );
