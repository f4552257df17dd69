import type { Sender } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";

/** Longer User-Agents are truncated. */
const USER_AGENT_LENGTH_MAX = 1_024;

/** Where a form came from, for the records of sign-ins and for throttling (R-X86, R-X87). */
export function senderOf({ remoteAddress, headers }: Pick<EdgeRequest, "remoteAddress" | "headers">): Sender {
  const { "user-agent": userAgent } = headers;
  return {
    networkAddress: remoteAddress,
    userAgent: typeof userAgent === "string" ? userAgent.slice(0, USER_AGENT_LENGTH_MAX) : "",
  };
}
