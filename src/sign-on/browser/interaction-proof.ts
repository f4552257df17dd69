import type { InteractionProof } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import type { Cookies } from "./cookies.ts";

/** The cookie header as one text. */
export const cookieHeaderOf = ({ headers }: Pick<EdgeRequest, "headers">): string | undefined => {
  const { cookie } = headers;
  return typeof cookie === "string" ? cookie : cookie?.join("; ");
};

/** Which interaction a page belongs to, and what this browser has to show for it. */
export function interactionProof(request: EdgeRequest, interactionId: string, cookies: Cookies): InteractionProof {
  const header = cookieHeaderOf(request);
  return {
    interactionId,
    interactionSecret: cookies.read(header, cookies.interaction(interactionId)) ?? "",
    sessionSecret: cookies.read(header, cookies.session) ?? null,
  };
}
