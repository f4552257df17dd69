import type { IfMatch } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { CODINGS, type Coding } from "#runtime/http/content-coding.ts";
import { listedEntityTags, passesIfMatch, stronglyListedEntityTags } from "#runtime/http/entity-tag.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";

/** The tag of services, in quotation marks; each coding has one of its own, as on the rest of the gateway (R-G10). */
export const toHeader = (entityTag: string, coding?: Coding): string =>
  `"${entityTag}${coding === undefined ? "" : `-${coding}`}"`;

/** By its length: a tag may end like the mark of a coding, too. */
const HEADER = new RegExp(`^"([A-Za-z0-9_-]{22})(?:-(?:${CODINGS.join("|")}))?"$`);

/** The tag of services in a tag that a client has, in whichever coding. */
const fromHeader = (tag: string): string | undefined => HEADER.exec(tag)?.[1];

/**
 * What `If-Match` asks of the subscription that a request writes, for services to compare where the subscription is
 * locked; `null` when it asks nothing, as for `*`: a subscription that there is not is 404 anyway.
 */
export function ifMatchOf({ headers }: Pick<EdgeRequest, "headers">): IfMatch | null {
  const listed = stronglyListedEntityTags(headers["if-match"]);
  if (listed === undefined || listed.includes("*")) return null;
  return { entityTags: listed.flatMap((tag) => fromHeader(tag) ?? []) };
}

/**
 * What a read answers in place of a subscription with this tag (RFC 9110 §13.2.2): a refusal when `If-Match` is false, the
 * tag of the copy that `If-None-Match` names and that is still valid, or nothing.
 */
export function conditionOfRead(
  { headers }: Pick<EdgeRequest, "headers">,
  entityTag: string,
  coding: Coding | undefined,
): { readonly isFalse: boolean; readonly copy: string | undefined } {
  const sent = toHeader(entityTag, coding);
  const listed = listedEntityTags(headers["if-none-match"]);
  const copy = listed.find((tag) => fromHeader(tag) === entityTag) ?? (listed.includes("*") ? sent : undefined);
  return { isFalse: !passesIfMatch(headers["if-match"], sent), copy };
}
