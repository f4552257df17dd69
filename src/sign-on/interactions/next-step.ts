import type { Application } from "../applications/application.ts";
import { isConsentNeeded } from "../consents/consent-needed.ts";
import type { SignOnSession } from "../sessions/session-repository.ts";
import type { AuthorizationErrorCode } from "./authorization-response.ts";
import type { AuthorizationRequest } from "./interaction.ts";

/** What a sign-in needs before it can go on. */
export type Need =
  | { readonly kind: "sign in" }
  | { readonly kind: "consent" }
  | { readonly kind: "refuse"; readonly error: AuthorizationErrorCode; readonly description: string };

const refuse = (error: AuthorizationErrorCode, description: string): Need => ({ kind: "refuse", error, description });

/**
 * Whether the person must enter the password: no session, one older than `max_age`, or `prompt=login` not honoured since the request
 * began (OIDC Core §3.1.2.1). `undefined` when the session will do.
 */
export function needOfSignIn(
  request: Pick<AuthorizationRequest, "prompts" | "maxAgeSeconds">,
  session: Pick<SignOnSession, "authenticatedAt"> | undefined,
  { requestedAt, now }: { readonly requestedAt: Date; readonly now: Date },
): Need | undefined {
  if (session !== undefined && isRecentEnough(request, session.authenticatedAt, requestedAt, now)) return undefined;
  return signInNeeded(request);
}

const signInNeeded = ({ prompts }: Pick<AuthorizationRequest, "prompts">): Need =>
  prompts.includes("none") ? refuse("login_required", "The person is not signed in.") : { kind: "sign in" };

function isRecentEnough(
  { prompts, maxAgeSeconds }: Pick<AuthorizationRequest, "prompts" | "maxAgeSeconds">,
  authenticatedAt: Date,
  requestedAt: Date,
  now: Date,
): boolean {
  const again = prompts.includes("login") || prompts.includes("select_account");
  if (again && authenticatedAt < requestedAt) return false;
  // A password entered during this interaction satisfies any max_age, 0 included; otherwise the page would never end.
  if (maxAgeSeconds === undefined || authenticatedAt >= requestedAt) return true;
  return now.getTime() - authenticatedAt.getTime() <= maxAgeSeconds * 1000;
}

export type MembershipAnswer = "member" | "none" | "disabled" | "signed out";

/** Refuses who has no seat on the instance (R-S7), and has those sign in anew who were disabled since they did (R-X93). */
export function needOfMembership(
  membership: MembershipAnswer,
  request: Pick<AuthorizationRequest, "prompts">,
): Need | undefined {
  if (membership === "member") return undefined;
  return membership === "signed out"
    ? signInNeeded(request)
    : refuse("access_denied", "The person has no access to this platform instance.");
}

/** Whether the person must be asked (R-S18). */
export function needOfConsent(
  application: Application,
  request: AuthorizationRequest,
  approvedBefore: readonly string[],
): Need | undefined {
  if (!isConsentNeeded(application, request, approvedBefore)) return undefined;
  return request.prompts.includes("none")
    ? refuse("consent_required", "The person has not approved this access.")
    : { kind: "consent" };
}
