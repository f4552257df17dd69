import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import type { components } from "#generated/types/portal.ts";

/** A problem in a response (RFC 9457, R-G1); its `type` is the address of the page that explains it. */
export function problem(
  code: ProblemCode,
  gatewayUrl: string,
  requestId: string,
  detail: string = PROBLEMS[code].detail,
): components["schemas"]["Problem"] {
  const { status, title } = PROBLEMS[code];
  return { type: problemAddress(code, gatewayUrl), title, status, detail, code, message: detail, requestId };
}

const problemAddress = (code: ProblemCode, gatewayUrl: string): string =>
  `${gatewayUrl}/problems/${code.replaceAll("_", "-")}`;
