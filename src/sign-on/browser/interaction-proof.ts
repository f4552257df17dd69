import type { InteractionProof } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import type { Cookies } from "./cookies.ts";

/** The cookie header as one text. */
export const cookieHeaderOf = ({ headers }: Pick<EdgeRequest, "headers">): string | undefined => {
  const { cookie } = headers;
  return typeof cookie === "string" ? cookie : cookie?.join("; ");
};

/** The session's secret, if the browser sent exactly one. */
export const sessionSecretOf = (request: EdgeRequest, { cookies }: { readonly cookies: Cookies }): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.session) ?? null;

/** The interaction that a page belongs to, and this browser's proof for it. */
export function interactionProof(request: EdgeRequest, interactionId: string, cookies: Cookies): InteractionProof {
  return {
    interactionId,
    interactionSecret: cookies.read(cookieHeaderOf(request), cookies.interaction(interactionId)) ?? "",
    sessionSecret: sessionSecretOf(request, { cookies }),
  };
}
