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
