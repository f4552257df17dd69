import type { AnyReply, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { prefersPage, VARY_BY_ACCEPT } from "#runtime/http/preferred-form.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { problem } from "../problem-reply.ts";
import { unknownAddressPage } from "./unknown-address-page.ts";

/** What decides the form of the answer, besides the method: it is GET or HEAD. */
interface Asked {
  readonly requestId: string;
  /** The header Accept as sent. */
  readonly accept: string | undefined;
  /** What a problem says in place of the sentence of its code. */
  readonly detail?: string | undefined;
}

/** Nothing is at this address: a page for clients that prefer one, else a problem (R-X208). */
export const nothingHere = ({ requestId, accept, detail }: Asked, gatewayUrl: string) =>
  prefersPage(accept)
    ? ({
        status: 404,
        type: "text/html",
        headers: { ...pageHeaders(), ...VARY_BY_ACCEPT },
        body: unknownAddressPage(requestId, "404"),
      } as const)
    : ({
        status: 404,
        type: "application/problem+json",
        headers: { "cache-control": "no-store", ...VARY_BY_ACCEPT },
        body: problem("not_found", gatewayUrl, requestId, detail),
      } as const);

/** The same for an address that cannot be read: a page, or a problem that says why (R-X208). */
export const unreadAddress = ({ requestId, accept, detail }: Asked, gatewayUrl: string): AnyReply => {
  const { type, headers } = nothingHere({ requestId, accept }, gatewayUrl);
  const body =
    type === "text/html"
      ? unknownAddressPage(requestId, "400")
      : problem("invalid_request", gatewayUrl, requestId, detail);
  return { status: 400, type, headers, body };
};

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
