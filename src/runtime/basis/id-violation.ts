import type { FieldViolation } from "./errors.ts";
import { ID_KINDS, ID_PREFIXES, type IdKind, parseId } from "./ids.ts";

/** What the id of each kind is called in a sentence. */
const NOUNS = {
  apiKey: "an API key",
  application: "an application",
  delivery: "a delivery",
  event: "an event",
  integration: "an integration",
  instanceIntegration: "an instance integration",
  person: "a person",
  recovery: "a recovery",
  subscription: "a subscription",
  tenant: "a tenant",
} as const satisfies Partial<Record<IdKind, string>>;

/** What is wrong with a field that must be an id of that kind; nothing when it is one. */
export const idViolations = (kind: keyof typeof NOUNS, field: string, given: string): FieldViolation[] =>
  parseId(kind, given) === undefined ? [{ field, reason: `must be the id of ${NOUNS[kind]}` }] : [];

/** What is wrong with a field that, unless it is left out, must be an id of that kind; nothing when it is one. */
export const optionalIdViolations = (
  kind: keyof typeof NOUNS,
  field: string,
  given: string | null | undefined,
): FieldViolation[] => (given === null || given === undefined ? [] : idViolations(kind, field, given));

/** Which form an id of that kind has, for who typed or made it: completes a sentence that begins with the name of a field or parameter. */
export const idFormViolation = (kind: IdKind): string =>
  `must be ${ID_PREFIXES[kind]}_ followed by 21 letters or digits`;

/** The same for the pattern by which the contracts describe an id of one kind; nothing for any other pattern. */
export function idPatternViolation(pattern: string): string | undefined {
  const kind = ID_KINDS.find((one) => pattern === `^${ID_PREFIXES[one]}_[A-Za-z0-9]{21}$`);
  return kind && idFormViolation(kind);
}
