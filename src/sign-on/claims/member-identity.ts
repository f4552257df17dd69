import { type Identity, Membership, type SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";

/** The person and instance of a code or token family. */
export interface Member {
  readonly personId: PersonId;
  readonly instanceId: InstanceId;
  /** When the password was entered that all this came from. */
  readonly authenticatedAt: Date;
}

/**
 * The person's current identity on the instance; `undefined` without a seat there (R-S7), or if the person is disabled
 * or was since the password was entered (R-X93).
 */
export async function memberIdentity(
  workforce: PromiseClient<typeof SignInService>,
  { personId, instanceId, authenticatedAt }: Member,
  { requestId }: Pick<Call, "requestId">,
): Promise<Identity | undefined> {
  const { membership, identity } = await workforce.getIdentity(
    { personId, instanceId, authenticatedAt },
    { requestId },
  );
  return membership === Membership.MEMBER && identity !== null ? identity : undefined;
}
