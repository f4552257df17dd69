import { parseWeightedList } from "#runtime/basis/weighted-list.ts";
import type { EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { problem } from "../problem-reply.ts";
import { unknownAddressPage } from "./unknown-address-page.ts";

/** What decides the form of the answer, besides the method: it is GET or HEAD. */
interface Asked {
  readonly requestId: string;
  /** The header Accept as sent. */
  readonly accept: string | undefined;
}

const VARY = { vary: "accept" } as const;

/** Nothing is at this address: a page for clients that prefer one, else a problem (R-X208). */
export const nothingHere = ({ requestId, accept }: Asked, gatewayUrl: string) =>
  prefersPage(accept)
    ? ({
        status: 404,
        type: "text/html",
        headers: { ...pageHeaders(), ...VARY },
        body: unknownAddressPage(requestId),
      } as const)
    : ({
        status: 404,
        type: "application/problem+json",
        headers: { "cache-control": "no-store", ...VARY },
        body: problem("not_found", gatewayUrl, requestId),
      } as const);

/** The answer of an operation whose request names something that does not exist. */
export const notFound = (gatewayUrl: string, { requestId, headers: { accept } }: EdgeRequest) =>
  nothingHere({ requestId, accept: typeof accept === "string" ? accept : undefined }, gatewayUrl);

/**
 * Answer to a request that breaks the contract: 404 for a name that is too long, 400 for a body, which no operation
 * accepts (R-X18).
 */
export const refused = (gatewayUrl: string, request: EdgeRequest, parts: readonly InvalidPart[]) =>
  parts.some((part) => part.in === "path")
    ? notFound(gatewayUrl, request)
    : ({
        status: 400,
        type: "application/problem+json",
        body: { ...problem("invalid_request", gatewayUrl, request.requestId), errors: [...parts] },
      } as const);

/** True when Accept (RFC 9110 §12.5.1) gives a page more weight than JSON. Parameters of media types are ignored. */
function prefersPage(accept = ""): boolean {
  const weights = new Map(parseWeightedList(accept).map(({ value, weight }) => [value, weight]));
  // The most specific range counts (RFC 9110 §12.5.1).
  const weightOf = (type: string, subtype: string) =>
    weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
  const json = Math.max(weightOf("application", "json"), weightOf("application", "problem+json"));
  return weightOf("text", "html") > json;
}
