import type { GetPersonResponse, SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { SignOnSession } from "../../sessions/session-repository.ts";
import { isSessionOver, type Sessions } from "../../sessions/sessions.ts";

export interface AccountHolderDeps {
  readonly sessions: Pick<Sessions, "find">;
  readonly workforce: Pick<PromiseClient<typeof SignInService>, "getPerson">;
}

/** Who may see and change an account, by the session of their browser. */
export interface AccountHolder {
  readonly session: SignOnSession;
  readonly person: GetPersonResponse;
}

/**
 * The person who is signed in; `undefined` without a live session, for a disabled person, and for a session from before
 * they were enabled again (S19, R-X93).
 */
export async function findAccountHolder(
  { sessions, workforce }: AccountHolderDeps,
  sessionSecret: string | null | undefined,
  { requestId }: Pick<Call, "requestId">,
): Promise<AccountHolder | undefined> {
  const session = await sessions.find(sessionSecret ?? undefined);
  if (session === undefined) return undefined;
  const person = await workforce.getPerson({ key: { $case: "personId", value: session.personId } }, { requestId });
  return isSessionOver(session, person) ? undefined : { session, person };
}
