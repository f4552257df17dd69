import { type Application, isPublic } from "../applications/application.ts";
import { scopesToApprove } from "../claims/requested-claims.ts";
import { covers, firstBeyond } from "../claims/scopes.ts";
import type { AuthorizationErrorCode } from "../refusals/check.ts";
import { quoted, type Refused, refuse } from "../refusals/refused.ts";
import type { SignOnSession } from "../sessions/session-repository.ts";
import type { AuthorizationRequest } from "./interaction.ts";

/** What a sign-in needs before it can go on. */
export type Need =
  | { readonly kind: "sign in" }
  | { readonly kind: "consent" }
  | { readonly kind: "refuse"; readonly refused: Refused<AuthorizationErrorCode> };

const refusal = (refused: Refused<AuthorizationErrorCode>): Need => ({ kind: "refuse", refused });

/** The parts of a request that `needOfSignIn` reads. */
type SignInWishes = Pick<AuthorizationRequest, "prompts" | "maxAgeSeconds" | "expectedPersonIds">;

interface SignInTimes {
  readonly requestedAt: Date;
  readonly now: Date;
  /** The password was just entered on the page of this request. */
  readonly justSignedIn?: boolean | undefined;
}

/**
 * Whether the person must enter the password: no session, a session of an unexpected person, one older than `max_age`,
 * or `prompt=login` not honoured since the request began (OIDC Core §3.1.2.1). If an unexpected person has just signed
 * in, the application gets `login_required` in place of a second page. `undefined` when the session is sufficient.
 */
export function needOfSignIn(
  request: SignInWishes,
  session: Pick<SignOnSession, "authenticatedAt" | "personId"> | undefined,
  { requestedAt, now, justSignedIn }: SignInTimes,
): Need | undefined {
  const { expectedPersonIds } = request;
  if (session !== undefined) {
    const expected = expectedPersonIds === undefined || expectedPersonIds.includes(session.personId);
    if (expected && isRecentEnough(request, session.authenticatedAt, requestedAt, now)) return undefined;
    if (!expected && justSignedIn === true) return refusal(refuse("session.other_person"));
  }
  return signInNeeded(request);
}

const signInNeeded = ({ prompts }: Pick<AuthorizationRequest, "prompts">): Need =>
  prompts.includes("none") ? refusal(refuse("session.missing")) : { kind: "sign in" };

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

/**
 * Refuses a request that exceeds the application's registration, narrowed since the request was proven (R-S8, R-S16).
 */
export function needOfRegistration(
  { scopes, grantTypes, pkceRequired }: Pick<Application, "scopes" | "grantTypes" | "pkceRequired">,
  request: Pick<AuthorizationRequest, "scopes" | "codeChallenge">,
): Need | undefined {
  if (!grantTypes.includes("authorization_code"))
    return refusal(refuse("grant.not_registered", { grant: "authorization code grant" }));
  const lost = firstBeyond(scopes, request.scopes);
  if (lost !== undefined) return refusal(refuse("scope.not_registered", { scope: quoted(lost) }));
  if (pkceRequired && request.codeChallenge === undefined) return refusal(refuse("code_challenge.missing"));
  return undefined;
}

export type MembershipAnswer = "member" | "none" | "disabled" | "signed out";

/**
 * Refuses a disabled person, and one without a seat on the instance (R-S7); a person disabled and enabled since the sign-in
 * must sign in again (R-X93).
 */
export function needOfMembership(
  membership: MembershipAnswer,
  request: Pick<AuthorizationRequest, "prompts">,
): Need | undefined {
  if (membership === "member") return undefined;
  if (membership === "signed out") return signInNeeded(request);
  return refusal(refuse(membership === "disabled" ? "membership.disabled" : "membership.none"));
}

/** Whether the person must be asked for consent (R-S18). */
export function needOfConsent(
  application: Application,
  request: AuthorizationRequest,
  approvedBefore: readonly string[],
): Need | undefined {
  if (!isConsentNeeded(application, { ...request, scopes: scopesToApprove(request) }, approvedBefore)) return undefined;
  return request.prompts.includes("none") ? refusal(refuse("consent.missing")) : { kind: "consent" };
}

/** True when the person must be asked before the application learns anything (R-S18). */
export function isConsentNeeded(
  application: Application,
  request: { readonly redirectUri: string; readonly scopes: readonly string[]; readonly prompts: readonly string[] },
  approvedBefore: readonly string[],
): boolean {
  if (request.prompts.includes("consent")) return true;
  // Another program on the device could claim such an address, so a public application needs consent each time.
  if (isPublic(application) && !/^https:/i.test(request.redirectUri)) return true;
  if (application.consentPolicy === "always") return true;
  return application.consentPolicy === "once" && !covers(approvedBefore, request.scopes);
}
