import { type Example, examplesOf } from "./examples.ts";
import { genuineSignature } from "./signed-vectors.ts";

interface EventsDocument {
  readonly components: { readonly messages: Readonly<Record<string, { readonly name: string }>> };
}

type Headers = Readonly<Record<string, string>>;

/** An event as the gateway answers it: its body is a text, with the headers of one or several POSTs. */
interface ShownEvent {
  readonly type: string;
  readonly body: string;
  readonly headers?: Headers;
  readonly signed?: readonly Headers[];
}

const isShownEvent = (value: object): value is ShownEvent =>
  "type" in value && "body" in value && typeof value.body === "string";

function* eventsIn(value: unknown): Generator<ShownEvent> {
  if (typeof value !== "object" || value === null) return;
  if (isShownEvent(value)) yield value;
  for (const part of Object.values(value)) yield* eventsIn(part);
}

const shownEvents = (gateway: object) =>
  examplesOf(gateway).flatMap(({ place, value }) => [...eventsIn(value)].map((event) => ({ place, event })));

/** The bodies, each as an example of its message in the events' contract. */
export const shownBodies = (gateway: object, { components }: EventsDocument): readonly Example[] =>
  shownEvents(gateway).map(({ place, event }) => {
    const [message = event.type] =
      Object.entries(components.messages).find(([, { name }]) => name === event.type) ?? [];
    return { place, schema: `#/components/messages/${message}/payload`, value: JSON.parse(event.body) };
  });

/** Signatures that are not of the body beside them, one line for each, with the right value. */
export const shownSignatureDepartures = (gateway: object): readonly string[] =>
  shownEvents(gateway).flatMap(({ place, event: { body, headers, signed = [] } }) =>
    [...(headers === undefined ? [] : [headers]), ...signed]
      .map((given) => ({ given, genuine: genuineSignature({ headers: given, payload: JSON.parse(body) }) }))
      .filter(({ given, genuine }) => given["webhook-signature"] !== genuine)
      .map(({ genuine }) => `${place}: webhook-signature: must be ${genuine}`),
  );
