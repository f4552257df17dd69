import { genuineSignature, type MessageExample } from "./signed-vectors.ts";

interface EventsDocument {
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly examples: readonly MessageExample[] }>
    >;
  };
}

/** Examples whose headers do not match their payload: one line for each header, with its file and the right value. */
export const signatureDepartures = ({ components }: EventsDocument): readonly string[] =>
  Object.values(components.messages).flatMap(({ name, examples }) =>
    examples.flatMap((example) => {
      const expected = { "webhook-id": example.payload.id, "webhook-signature": genuineSignature(example) };
      return Object.entries(expected)
        .filter(([header, value]) => example.headers[header] !== value)
        .map(([header, value]) => `openapi/examples/events/message.${name}.yaml: ${header}: must be ${value}`);
    }),
  );
