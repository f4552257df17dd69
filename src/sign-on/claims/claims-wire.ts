import type { components } from "#generated/types/sign-on.ts";
import type { PersonClaims } from "./person-claims.ts";

/** The claims of a person as ID tokens and userinfo have them: userinfo's answer without its audience. */
type WireClaims = Omit<components["schemas"]["Userinfo"], "aud" | "aub">;

/** Omits every claim without a value. */
export const toClaims = (claims: PersonClaims): WireClaims => withClaims({ sub: claims.subject }, claims);

/**
 * The object that was begun, with the claims of a person but for the subject; those without a value are omitted. It is
 * filled in place: every exchange and every userinfo comes by here, and each spread would copy it.
 */
export function withClaims<S extends Pick<WireClaims, "sub">>(begun: S, claims: PersonClaims): S & WireClaims {
  const wire: Writable<Partial<WireClaims>> = begun;
  const { name, firstName, lastName, givenName, familyName, email, emailVerified, lastLoginContext } = claims;
  if (isGiven(name)) wire.name = name;
  if (isGiven(firstName)) wire.firstName = firstName;
  if (isGiven(lastName)) wire.lastName = lastName;
  if (isGiven(givenName)) wire.given_name = givenName;
  if (isGiven(familyName)) wire.family_name = familyName;
  if (isGiven(email)) wire.email = email;
  if (isGiven(emailVerified)) wire.email_verified = emailVerified;
  wire.workerProfileId = claims.workerProfileId;
  wire.userIds = claims.users.map(({ id, tenantId }) => ({ id, clientId: tenantId }));
  wire.workerIds = claims.workers.map(({ id, tenantId }) => ({ id, clientId: tenantId }));
  if (lastLoginContext !== null)
    wire.lastLoginContext = {
      userType: lastLoginContext.worker ? "WORKER" : "USER",
      clientId: lastLoginContext.tenantId,
    };
  return begun as S & WireClaims;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const isGiven = <V>(value: V | null | undefined): value is V => value !== null && value !== undefined;

/** Every claim that tokens or userinfo may contain; discovery lists them. */
export const CLAIM_NAMES = [
  "sub",
  "iss",
  "aud",
  "exp",
  "iat",
  "auth_time",
  "nonce",
  "at_hash",
  "acr",
  "sid",
  "name",
  "firstName",
  "lastName",
  "given_name",
  "family_name",
  "email",
  "email_verified",
  "workerProfileId",
  "userIds",
  "workerIds",
  "lastLoginContext",
] as const;
