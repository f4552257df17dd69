import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** The body of an event, as the contract shows one of each type. */
interface SampleEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly [member: string]: unknown;
}

/** An event that is ready to be signed. */
export interface MadeEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

const EXAMPLES = JSON.parse(readFileSync(new URL("../events.json", import.meta.url), "utf8")) as readonly SampleEvent[];

/** Every event type of the contract, in its order. */
export const SAMPLE_TYPES: readonly string[] = EXAMPLES.map(({ type }) => type);

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const LETTERS = 21;

/** An id that nothing has had. */
export const newId = (kind: string): string =>
  `${kind}_${Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;

/** Puts new ids in the place of those of some kinds (`user`, `client`, …), the same for each old one. */
export function newIds(): (text: string, kinds: readonly string[]) => string {
  const known = new Map<string, string>();
  return (text, kinds) =>
    text.replaceAll(/\b([a-z]+)_[A-Za-z0-9]{21}\b/g, (old, kind: string) => {
      if (!kinds.includes(kind)) return old;
      const made = known.get(old) ?? newId(kind);
      known.set(old, made);
      return made;
    });
}

let lastSequence = 0;

/** Higher than every one before, of earlier runs too: receivers drop a snapshot with a lower one. */
function nextSequence(at: Date): number {
  lastSequence = Math.max(lastSequence + 1, at.getTime());
  return lastSequence;
}

/**
 * The contract's example of a type as an event of its own: a new id, the given time, a higher `sequence` than any before,
 * marked as a test. `more` replaces members or adds them.
 * @throws RangeError when there is no such type.
 */
export function sampleEvent(type: string, at: Date, more: Readonly<Record<string, unknown>> = {}): MadeEvent {
  const example = EXAMPLES.find((one) => one.type === type);
  if (example === undefined) throw new RangeError(`There is no event type ${type}.`);
  const { id: _, type: __, specVersion, dataVersion, occurredAt: ___, sequence: ____, ...rest } = example;
  const event = {
    id: newId("event"),
    type,
    specVersion,
    dataVersion,
    occurredAt: at.toISOString(),
    sequence: nextSequence(at),
    test: true,
    ...rest,
  };
  const body = { ...event, ...more };
  return { id: event.id, type: body.type, body: JSON.stringify(body) };
}
