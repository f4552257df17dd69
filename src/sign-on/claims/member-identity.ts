import { type Identity, Membership, type SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";

/** The person's identity on the instance as of now; `undefined` when disabled or without a seat there (R-S7). */
export async function memberIdentity(
  workforce: PromiseClient<typeof SignInService>,
  personId: PersonId,
  instanceId: InstanceId,
  requestId: string,
): Promise<Identity | undefined> {
  const { membership, identity } = await workforce.getIdentity({ personId, instanceId }, { requestId });
  return membership === Membership.MEMBERSHIP_MEMBER && identity !== null ? identity : undefined;
}
