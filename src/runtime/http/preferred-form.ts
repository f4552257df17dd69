import { parseWeightedList } from "../basis/weighted-list.ts";
import type { UnroutedCode, UnroutedRequest } from "./operation.ts";

/** On answers that are a page or JSON by Accept. */
export const VARY_BY_ACCEPT = { vary: "accept" } as const;

/**
 * True for a GET or HEAD where nothing is or can be, the only unrouted requests whose answers may be pages (R-X208): a
 * browser comes there by a link that was cut or mistyped.
 */
export const mayGetPage = (code: UnroutedCode, asked: UnroutedRequest | undefined): asked is UnroutedRequest =>
  (code === "not_found" || asked?.isPathUnread === true) && (asked?.method === "GET" || asked?.method === "HEAD");

/** True when Accept (RFC 9110 §12.5.1) gives a page more weight than JSON. Parameters of media types are ignored. */
export function prefersPage(accept = ""): boolean {
  const weights = new Map(parseWeightedList(accept).map(({ value, weight }) => [value, weight]));
  // The most specific range counts (RFC 9110 §12.5.1).
  const weightOf = (type: string, subtype: string) =>
    weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
  const json = Math.max(weightOf("application", "json"), weightOf("application", "problem+json"));
  return weightOf("text", "html") > json;
}
