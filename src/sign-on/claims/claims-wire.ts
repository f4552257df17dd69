import type { components } from "#generated/types/sign-on.ts";
import type { PersonClaims } from "./person-claims.ts";

/** The claims of a person as ID tokens and userinfo have them: userinfo's answer without its audience. */
type WireClaims = Omit<components["schemas"]["Userinfo"], "aud" | "aub">;

/** Omits every claim without a value. */
export const toClaims = (claims: PersonClaims): WireClaims => ({
  sub: claims.subject,
  ...present("name", claims.name),
  ...present("firstName", claims.firstName),
  ...present("lastName", claims.lastName),
  ...present("given_name", claims.givenName),
  ...present("family_name", claims.familyName),
  ...present("email", claims.email),
  ...present("email_verified", claims.emailVerified),
  workerProfileId: claims.workerProfileId,
  userIds: claims.users.map(({ id, tenantId }) => ({ id, clientId: tenantId })),
  workerIds: claims.workers.map(({ id, tenantId }) => ({ id, clientId: tenantId })),
  ...(claims.lastLoginContext === null
    ? {}
    : {
        lastLoginContext: {
          userType: claims.lastLoginContext.worker ? "WORKER" : "USER",
          clientId: claims.lastLoginContext.tenantId,
        } as const,
      }),
});

const present = <N extends keyof WireClaims, V extends WireClaims[N]>(
  name: N,
  value: V | null | undefined,
): { [K in N]?: V } => (value === null || value === undefined ? {} : ({ [name]: value } as { [K in N]: V }));

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
