import type { Identity } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
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

export function identityClaims(identity: Identity, scopes: readonly Scope[]): IdentityClaims {
  const { lastLoginContext } = identity;
  return {
    sub: identity.personId,
    ...(scopes.includes("profile") ? profileClaims(identity) : {}),
    ...(scopes.includes("email") ? { email: identity.email, email_verified: identity.emailVerified } : {}),
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
