import type { UnroutedCode, UnroutedRequest } from "./operation.ts";

/** What is wrong with a malformed request, as the end of the sentence that begins with "The request" (R-X23, R-X30). */
export const whyMalformed = (asked: UnroutedRequest | undefined): string =>
  asked === undefined ? "is not one of HTTP/1.1 to this server" : (asked.malformed ?? "is malformed");

/** `detail` of the problem for a request that no operation got; `undefined` where the sentence of its code says enough. */
export function unroutedDetail(code: UnroutedCode, asked: UnroutedRequest | undefined): string | undefined {
  if (code === "invalid_request") return `The request ${whyMalformed(asked)}.`;
  const path = code === "not_found" ? asked?.withoutSlash : undefined;
  return path === undefined ? undefined : `Leave out the slash at the end: ${path} is the address.`;
}

/** What Fastify could not read of a request, as far as it says so (R-X30). */
export const whatIsUnread = ({ code }: Error & { code?: string }): string | undefined =>
  code === "FST_ERR_BAD_URL" ? "has malformed percent-encoding in its path" : undefined;

/** Maps Fastify's own errors to ours; an unknown error is a fault. */
export function refusalOf(error: Error & { statusCode?: number; code?: string }): [number, UnroutedCode] {
  const codes: Readonly<Record<number, UnroutedCode>> = {
    400: "invalid_request",
    404: "not_found",
    413: "payload_too_large",
    415: "unsupported_media_type",
  };
  const status = error.statusCode ?? 500;
  const code = codes[status];
  return code === undefined ? [500, "internal_error"] : [status, code];
}
