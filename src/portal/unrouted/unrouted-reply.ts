import type { AnyReply, UnroutedCode, UnroutedRequest } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { problem } from "../problem-reply.ts";
import { unknownAddressPage } from "./unknown-address-page.ts";

/** A refusal before an operation is chosen, and the address that problem types begin with. */
interface Unrouted {
  readonly status: number;
  readonly code: UnroutedCode;
  readonly requestId: string;
  /** Absent when no request could be read. */
  readonly asked: UnroutedRequest | undefined;
  readonly gatewayUrl: string;
}

/** The answer without an operation: a page at an unknown address for clients that prefer one (R-X208), else a problem. */
export function unrouted({ status, code, requestId, asked, gatewayUrl }: Unrouted): AnyReply {
  const mayBePage = code === "not_found" && (asked?.method === "GET" || asked?.method === "HEAD");
  const vary = mayBePage ? { vary: "accept" } : {};
  if (mayBePage && prefersPage(asked?.accept))
    return { status, type: "text/html", headers: { ...pageHeaders(), ...vary }, body: unknownAddressPage(requestId) };
  return {
    status,
    type: "application/problem+json",
    headers: { "cache-control": "no-store", ...vary },
    body: problem(code, gatewayUrl, requestId),
  };
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * True when Accept (RFC 9110 §12.5.1) gives a page more weight than JSON. Members with a malformed weight are ignored,
 * and so are parameters other than the weight.
 */
function prefersPage(accept = ""): boolean {
  const weights = new Map<string, number>();
  for (const member of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = member.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q=")) ?? "q=1";
    const [, number] = WEIGHT.exec(weight) ?? [];
    if (number !== undefined) weights.set(range, Number(number));
  }
  // The most specific range counts (RFC 9110 §12.5.1).
  const weightOf = (type: string, subtype: string) =>
    weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
  const json = Math.max(weightOf("application", "json"), weightOf("application", "problem+json"));
  return weightOf("text", "html") > json;
}
