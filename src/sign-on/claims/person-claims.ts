import type { GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { type Identity, SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { RequestableClaim } from "./requested-claims.ts";
import type { Scope } from "./scopes.ts";

/** What an application may know of a person, in our words; `toClaims` has the words of the wire. */
export type PersonClaims = Omit<GetUserinfoResponse, "audience">;

/** The claims that the granted scopes cover, and the ones requested by name (spec §2.7, R-S6, R-S8, R-X109). */
export function personClaims(
  identity: Identity,
  scopes: readonly Scope[],
  requested: readonly RequestableClaim[] = [],
): PersonClaims {
  const { email, emailVerified, firstName, lastName, lastLoginContext } = identity;
  const name = [firstName, lastName].filter(Boolean).join(" ") || null;
  const covered = <V>(scope: Scope, claim: RequestableClaim, value: V | null | undefined): V | null =>
    scopes.includes(scope) || requested.includes(claim) ? (value ?? null) : null;
  return {
    subject: identity.personId,
    name: covered("profile", "name", name),
    firstName: covered("profile", "firstName", firstName),
    lastName: covered("profile", "lastName", lastName),
    givenName: covered("profile", "given_name", firstName),
    familyName: covered("profile", "family_name", lastName),
    email: covered("email", "email", email),
    emailVerified: covered("email", "email_verified", emailVerified),
    workerProfileId: identity.workerProfileId,
    users: identity.users.map(({ userId, tenantId }) => ({ id: userId, tenantId })),
    workers: identity.workers.map(({ workerId, tenantId }) => ({ id: workerId, tenantId })),
    lastLoginContext: lastLoginContext && {
      worker: lastLoginContext.kind === SeatKind.WORKER,
      tenantId: lastLoginContext.tenantId,
    },
  };
}
