import contract from "#generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import { EVENT_TYPES } from "#generated/event-types.ts";
import type { Wire } from "./wire.ts";

interface Node {
  readonly [key: string]: unknown;
}

interface Message {
  readonly name: string;
  readonly summary: string;
  readonly payload: unknown;
  readonly examples: readonly { readonly payload: Node }[];
}

const NAMEABLE: ReadonlySet<string> = new Set(EVENT_TYPES);
let catalogue: readonly Wire["EventType"][] | undefined;

/**
 * Every type that a subscription can name, which a ping is not (R-X271), with the JSON Schema of its body, every reference
 * in its place, and an example.
 */
export function eventCatalogue(): readonly Wire["EventType"][] {
  const messages = Object.values(contract.components.messages) as unknown as readonly Message[];
  catalogue ??= messages
    .filter(({ name }) => NAMEABLE.has(name))
    .map(({ name, summary, payload, examples }) => ({
      type: name,
      description: summary,
      schema: resolved(payload) as Node,
      example: (examples[0]?.payload ?? {}) as Node,
    }));
  return catalogue;
}

/** Puts what every `$ref` names in its place. The contract has no schema that contains itself. */
function resolved(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(resolved);
  const { $ref, ...beside } = node as Node;
  const target = typeof $ref === "string" ? (resolved(at($ref)) as Node) : {};
  return { ...target, ...Object.fromEntries(Object.entries(beside).map(([name, part]) => [name, resolved(part)])) };
}

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split("/")
    .reduce<unknown>((node, part) => (node as Node)[part.replaceAll("~1", "/").replaceAll("~0", "~")], contract);
