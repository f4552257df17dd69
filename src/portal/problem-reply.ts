import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import type { components } from "#generated/types/portal.ts";
import type { InvalidPart } from "#runtime/http/operation.ts";

/** A problem in a response (RFC 9457, R-G1); its `type` is the address of the page that explains it. */
export function problem(code: ProblemCode, gatewayUrl: string, requestId: string): components["schemas"]["Problem"] {
  const { status, title, detail } = PROBLEMS[code];
  return { type: problemAddress(code, gatewayUrl), title, status, detail, code, message: detail, requestId };
}

export const problemAddress = (code: ProblemCode, gatewayUrl: string): string =>
  `${gatewayUrl}/problems/${code.replaceAll("_", "-")}`;

export const notFound = (gatewayUrl: string, requestId: string) =>
  ({ status: 404, type: "application/problem+json", body: problem("not_found", gatewayUrl, requestId) }) as const;

/**
 * Answer to a request that breaks the contract: 404 for a name that is too long, 400 for a body, which no operation
 * accepts (R-X18).
 */
export const refused = (gatewayUrl: string, requestId: string, parts: readonly InvalidPart[]) =>
  parts.some((part) => part.in === "path")
    ? notFound(gatewayUrl, requestId)
    : ({
        status: 400,
        type: "application/problem+json",
        body: { ...problem("invalid_request", gatewayUrl, requestId), errors: [...parts] },
      } as const);
