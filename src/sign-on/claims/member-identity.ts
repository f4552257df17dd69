import { type Identity, Membership, type SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";

/** Who is asked about; a code, a token family. */
export interface Member {
  readonly personId: PersonId;
  readonly instanceId: InstanceId;
  /** When the password was entered, from which everything else came. */
  readonly authenticatedAt: Date;
}

/**
 * The person's identity on the instance as of now; `undefined` when without a seat there (R-S7), or disabled, be it only for a moment since
 * the password was entered (R-X93).
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
