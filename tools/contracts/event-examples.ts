import type { MessageExample } from "./signed-vectors.ts";

interface EventsDocument {
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly examples: readonly MessageExample[] }>
    >;
  };
}

/** The body of an event as the contract shows it. */
export interface EventExample {
  readonly id: string;
  readonly type: string;
  readonly entity: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>> & { readonly links: { readonly self: string } };
}

/** No event of a change: the message by which an endpoint is tried. No subscription can name it. */
export const PING_TYPE = "webhook.ping";

/** The body of the first example of every event type, in the order of the contract. */
export const eventExamples = ({ components }: EventsDocument): readonly EventExample[] =>
  Object.values(components.messages)
    .filter(({ name }) => name !== PING_TYPE)
    .map(({ name, examples: [example] }) => {
      if (example === undefined) throw new Error(`webhooks.asyncapi.yaml: the message ${name} has no example`);
      return example.payload as EventExample;
    });

/** What test events are made of, by type: the examples as a domain would write them, for any receiver. */
export const testEventTable = (document: EventsDocument) =>
  Object.fromEntries(
    eventExamples(document).map(({ type, entity, data: { links, ...data } }) => [
      type,
      { entity, data, selfPath: links.self.replace(/installation_[A-Za-z0-9]+/, "{instanceIntegrationId}") },
    ]),
  );
