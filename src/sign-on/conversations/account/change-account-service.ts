import {
  AccountOutcome,
  type ChangeAccountRequest,
  type ChangeAccountResponse,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { CodeExpiryRepository } from "../../authorization-codes/code-expiry-repository.ts";
import type { ConsentRepository } from "../../consents/consent-repository.ts";
import { isFormToken } from "../../interactions/form-token.ts";
import type { FamilyRevocationRepository } from "../../refresh-tokens/family-revocation-repository.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import type { SessionRepository, SignOnSession } from "../../sessions/session-repository.ts";
import { type Sessions, sidOf } from "../../sessions/sessions.ts";
import type { SignOuts } from "../../sessions/sign-out-service.ts";
import type { SignOnTables } from "../../tables.ts";
import { type AccountHolderDeps, findAccountHolder } from "./account-holder.ts";
import { accountFormToken } from "./account-service.ts";

interface ChangeAccountDeps extends AccountHolderDeps {
  readonly sessions: Sessions;
  readonly sessionRepository: Pick<SessionRepository, "lockAllOf" | "use">;
  readonly signOuts: Pick<SignOuts, "ofSession" | "everywhere">;
  readonly consents: Pick<ConsentRepository, "withdraw">;
  readonly codeExpiry: Pick<CodeExpiryRepository, "expireOfAccess">;
  readonly revocations: Pick<FamilyRevocationRepository, "revokeOfAccess">;
  readonly changes: Changes<SignOnTables>;
}

/**
 * One change of a person's own account. The session decides whose; another person's things in a form are not found,
 * which is not an error.
 */
export const changeAccount =
  (deps: ChangeAccountDeps) =>
  async (request: ChangeAccountRequest, call: RefusingCall): Promise<ChangeAccountResponse> => {
    const holder = await findAccountHolder(deps, request.sessionSecret, call);
    if (holder === undefined) return { outcome: AccountOutcome.NOBODY };
    const { session } = holder;
    const expected = accountFormToken(request.sessionSecret ?? "");
    if (!isFormToken(request.formToken, expected)) return formRefused(call);
    switch (request.change?.$case) {
      case "endSession":
        return endSession(deps, session, request.change.value.sid, call);
      case "withdrawAccess":
        return withdraw(deps, session, request.change.value, call);
      case "signOutEverywhere":
        return signOutEverywhere(deps, session, call);
      default:
        return formRefused(call);
    }
  };

/** The error page, noted under the reference that it shows. */
function formRefused(call: RefusingCall): ChangeAccountResponse {
  call.refused(pageRefusal("form.refused"));
  return { outcome: AccountOutcome.FORM_REFUSED };
}

async function endSession(
  { sessions, signOuts, changes }: ChangeAccountDeps,
  current: SignOnSession,
  sid: string,
  { requestId }: Call,
): Promise<ChangeAccountResponse> {
  const { personId } = current;
  const own = [current, ...(await sessions.listOf(personId))];
  const ended = own.find(({ digest }) => sidOf(digest) === sid);
  if (ended === undefined) return { outcome: AccountOutcome.DONE };
  await changes.run(
    async ({ db, at, audit }) => {
      if (!(await signOuts.ofSession(db, ended, at))) return;
      const facts = { because: "ended on the account page", application: null };
      await audit({ actor: personId, action: "session.end", object: personId, facts });
    },
    { requestId, recognizesItself: true },
  );
  const isCurrent = ended.digest.equals(current.digest);
  return { outcome: isCurrent ? AccountOutcome.SIGNED_OUT : AccountOutcome.DONE };
}

async function withdraw(
  { consents, sessionRepository, codeExpiry, revocations, changes }: ChangeAccountDeps,
  { personId }: SignOnSession,
  named: { readonly applicationId: string; readonly instanceId: string },
  call: RefusingCall,
): Promise<ChangeAccountResponse> {
  const applicationId = parseId("application", named.applicationId);
  const instanceId = parseId("instance", named.instanceId);
  if (applicationId === undefined || instanceId === undefined) return formRefused(call);
  const subject = { personId, applicationId, instanceId };
  await changes.run(
    async ({ db, at, audit }: Change<SignOnTables>) => {
      // A silent sign-in first uses the session, then reads the consent.
      await sessionRepository.lockAllOf(db, personId);
      const consented = await consents.withdraw(db, subject);
      // Codes before families, as everywhere.
      await codeExpiry.expireOfAccess(db, subject, at);
      const revoked = await revocations.revokeOfAccess(db, subject, "access withdrawn", at);
      if (!consented && revoked === 0) return;
      const facts = { application: applicationId, instance: instanceId, families: revoked };
      await audit({ actor: personId, action: "consent.withdraw", object: personId, facts });
    },
    { requestId: call.requestId, recognizesItself: true },
  );
  return { outcome: AccountOutcome.DONE };
}

async function signOutEverywhere(
  { sessionRepository, signOuts, changes }: ChangeAccountDeps,
  { digest, personId }: SignOnSession,
  { requestId }: Call,
): Promise<ChangeAccountResponse> {
  await changes.run(
    async ({ db, at, audit, mayBeDone }) => {
      if (mayBeDone && !(await sessionRepository.use(db, digest, at))) return;
      await signOuts.everywhere(db, personId, "signed out everywhere", at);
      await audit({ actor: personId, action: "person.signOutEverywhere", object: personId });
    },
    { requestId, recognizesItself: true },
  );
  return { outcome: AccountOutcome.SIGNED_OUT };
}
