import type {
  GetIdentityRequest,
  GetIdentityResponse,
  Identity,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { Membership } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { currentLoginContext, toLoginContextMessage } from "./last-login-context.ts";
import { type MembershipDeps, readMembership } from "./membership.ts";

/**
 * Reads the content of the claims about a person as of now: ACTIVE users, workers not ended and the last login context, all of one
 * instance (R-S6, R-S7, R-S22). Without membership there is no identity.
 */
export const getIdentity =
  (deps: MembershipDeps) =>
  async (request: GetIdentityRequest): Promise<GetIdentityResponse> => {
    const found = await readMembership(deps, request);
    const membership = Membership[found.membership];
    if (found.membership !== "MEMBER") return { membership, identity: null };
    const { person, seats } = found;
    const loginContext = currentLoginContext(found.loginContext, seats);
    const active = seats.users.filter(({ status }) => status === "ACTIVE");
    const identity: Identity = {
      personId: person.id,
      workerProfileId: person.workerProfileId,
      email: person.email,
      emailVerified: person.emailVerified,
      firstName: person.firstName,
      lastName: person.lastName,
      users: active.map(({ id, tenantId }) => ({ userId: id, tenantId })),
      workers: seats.workers.map(({ id, tenantId }) => ({ workerId: id, tenantId })),
      lastLoginContext: loginContext === undefined ? null : toLoginContextMessage(loginContext),
    };
    return { membership, identity };
  };
