/** True when `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2); `*` matches every tag. */
export const matchesEntityTag = (header: string | readonly string[] | undefined, entityTag: string): boolean =>
  listedEntityTags(header).some((candidate) => candidate === "*" || candidate === entityTag);

/**
 * False when there is an `If-Match` that does not name the tag, by strong comparison (RFC 9110 §13.1.1); `*` names every
 * tag. The entity tag is the one of the answer that is sent otherwise.
 */
export const passesIfMatch = (header: string | readonly string[] | undefined, entityTag: string): boolean =>
  stronglyListedEntityTags(header)?.some((candidate) => candidate === "*" || candidate === entityTag) ?? true;

/** The entity tags of `If-Match` as they are there, `*` too: a weak one equals none (RFC 9110 §8.8.3.2). `undefined` without one. */
export const stronglyListedEntityTags = (
  header: string | readonly string[] | undefined,
): readonly string[] | undefined => (header === undefined ? undefined : membersOf(header));

/** The entity tags of `If-None-Match`, each without the mark of a weak one. */
export const listedEntityTags = (header: string | readonly string[] | undefined): readonly string[] =>
  membersOf(header).map((candidate) => candidate.replace(/^W\//, ""));

const membersOf = (header: string | readonly string[] | undefined): readonly string[] =>
  typeof header === "string" ? header.split(",").map((candidate) => candidate.trim()) : [];
