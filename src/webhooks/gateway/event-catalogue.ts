import contract from "#generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import { EVENT_TYPES } from "#generated/event-types.ts";
import { resolved } from "#runtime/basis/resolved.ts";
import type { Wire } from "./wire.ts";

type Json = Readonly<Record<string, unknown>>;

interface EventContract {
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}

interface Message {
  readonly name: string;
  readonly summary: string;
  readonly payload: Json;
  readonly examples: readonly { readonly payload: Json }[];
}

const NAMEABLE: ReadonlySet<string> = new Set(EVENT_TYPES);
let catalogue: readonly Wire["EventType"][] | undefined;

/**
 * Every type that a subscription can name, which a ping is not (R-X271), with the JSON Schema of its body, every reference
 * in its place, and an example.
 */
export function eventCatalogue(): readonly Wire["EventType"][] {
  catalogue ??= Object.values(resolved<EventContract>(contract).components.messages)
    .filter(({ name }) => NAMEABLE.has(name))
    .map(({ name, summary, payload, examples }) => ({
      type: name,
      description: summary,
      schema: payload,
      example: examples[0]?.payload ?? {},
    }));
  return catalogue;
}
