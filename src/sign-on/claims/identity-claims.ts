import type { Identity } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { RequestableClaim } from "./requested-claims.ts";
import type { Scope } from "./scopes.ts";

/** A seat in claims, in wire words. */
export interface SeatClaim {
  readonly id: string;
  readonly clientId: string;
}

/** What the granted scopes let an application know of a person (spec §2.7, R-S6, R-S8); a claim without a value is left out. */
export interface IdentityClaims {
  readonly sub: string;
  readonly name?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly workerProfileId: string;
  readonly userIds: readonly SeatClaim[];
  readonly workerIds: readonly SeatClaim[];
  readonly lastLoginContext?: { readonly userType: "USER" | "WORKER"; readonly clientId: string };
}

export function identityClaims(
  identity: Identity,
  scopes: readonly Scope[],
  requested: readonly RequestableClaim[] = [],
): IdentityClaims {
  const { lastLoginContext } = identity;
  return {
    sub: identity.personId,
    ...(scopes.includes("profile") ? profileClaims(identity) : only(requested, profileClaims(identity))),
    ...(scopes.includes("email") ? emailClaims(identity) : only(requested, emailClaims(identity))),
    workerProfileId: identity.workerProfileId,
    userIds: identity.users.map(({ userId, tenantId }) => ({ id: userId, clientId: tenantId })),
    workerIds: identity.workers.map(({ workerId, tenantId }) => ({ id: workerId, clientId: tenantId })),
    ...(lastLoginContext === null
      ? {}
      : {
          lastLoginContext: {
            userType: lastLoginContext.kind === SeatKind.SEAT_KIND_WORKER ? "WORKER" : "USER",
            clientId: lastLoginContext.tenantId,
          },
        }),
  };
}

const only = (requested: readonly RequestableClaim[], claims: Partial<IdentityClaims>): Partial<IdentityClaims> =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => (requested as readonly string[]).includes(name)));

const emailClaims = ({ email, emailVerified }: Identity): Partial<IdentityClaims> => ({
  email,
  email_verified: emailVerified,
});

function profileClaims({ firstName, lastName }: Identity): Partial<IdentityClaims> {
  const first = firstName ?? undefined;
  const last = lastName ?? undefined;
  const name = [first, last].filter((part) => part !== undefined).join(" ");
  return {
    ...(name === "" ? {} : { name }),
    ...(first === undefined ? {} : { firstName: first, given_name: first }),
    ...(last === undefined ? {} : { lastName: last, family_name: last }),
  };
}

/** Every claim that tokens or userinfo may hold; discovery lists them. */
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
