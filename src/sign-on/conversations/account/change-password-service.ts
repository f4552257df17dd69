import {
  AccountOutcome,
  type ChangePasswordRequest,
  type ChangePasswordResponse,
  type PasswordChangePage,
  type ShowPasswordChangeRequest,
  type ShowPasswordChangeResponse,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { CredentialRepository } from "../../credentials/credential-repository.ts";
import type { NewPassword, PasswordChange } from "../../credentials/password-change-service.ts";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordFlaw,
  type PasswordOwner,
  passwordFlaw,
  toFlawMessage,
} from "../../credentials/password-rules.ts";
import { LOOKS_MAX, type Passwords } from "../../credentials/passwords.ts";
import { isFormToken } from "../../interactions/form-token.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import type { SessionRepository, SignOnSession } from "../../sessions/session-repository.ts";
import { type Sessions, sessionFormToken } from "../../sessions/sessions.ts";
import type { SignIns } from "../../sign-ins/sign-ins-service.ts";
import type { SignOnTables } from "../../tables.ts";
import { senderNetworkOf } from "../../throttling/network.ts";
import type { Throttling } from "../../throttling/throttling-service.ts";
import { type AccountHolder, findAccountHolder } from "./account-holder.ts";

interface ChangePasswordDeps {
  readonly sessions: Sessions;
  readonly sessionRepository: Pick<SessionRepository, "lockAllOf" | "end" | "create">;
  readonly credentials: Pick<CredentialRepository, "findPasswordSetAt" | "lockPasswordHash">;
  readonly passwords: Pick<Passwords, "match">;
  readonly passwordChange: PasswordChange;
  readonly throttling: Throttling;
  readonly signIns: Pick<SignIns, "throttle">;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly changes: Changes<SignOnTables>;
  readonly clock: Clock;
}

/** As operators have a refused attempt explained, under the reference that its page shows (R-X196). */
const WRONG = pageRefusal("sign_in.wrong_password");
const THROTTLED = pageRefusal("sign_in.throttled");

/** The empty form; none without a live session. */
export const showPasswordChange =
  (deps: ChangePasswordDeps) =>
  async ({ sessionSecret }: ShowPasswordChangeRequest, call: Call): Promise<ShowPasswordChangeResponse> => {
    const holder = await findAccountHolder(deps, sessionSecret, call);
    return { page: holder === undefined ? null : formPage(holder.person, sessionSecret ?? "", {}) };
  };

/**
 * Changes the password of the signed-in person. It requires the old one, since somebody else may use the session at an
 * unattended desk; wrong ones are throttled like failed sign-ins (R-S17). All else of the person ends; this session
 * continues under a new secret (S12).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const changePassword =
  (deps: ChangePasswordDeps) =>
  async (request: ChangePasswordRequest, call: RefusingCall): Promise<ChangePasswordResponse> => {
    const secret = request.sessionSecret ?? "";
    const holder = await findAccountHolder(deps, secret, call);
    if (holder === undefined) return ended(AccountOutcome.NOBODY);
    if (!isFormToken(request.formToken, tokenOf(secret))) {
      call.refused(pageRefusal("form.refused"));
      return ended(AccountOutcome.FORM_REFUSED);
    }

    const { session, person } = holder;
    const owner = ownerOf(person);
    const again = (more: Parameters<typeof formPage>[2]): ChangePasswordResponse => ({
      answer: { $case: "page", value: formPage(owner, secret, more) },
    });
    const flaw =
      passwordFlaw(request.password, owner) ?? (request.password === request.passwordAgain ? undefined : "different");
    if (flaw !== undefined) return again({ flaw });

    const networkAddress = request.sender?.networkAddress ?? "";
    const { personId } = session;
    const subjects = await deps.throttling.subjectsOf({
      email: owner.email,
      networkAddress,
      deviceProof: request.deviceProof ?? undefined,
      passwordSetAt: () => deps.credentials.findPasswordSetAt(personId),
    });
    const wait = (waitMs: number): ChangePasswordResponse => {
      call.refused(THROTTLED);
      return again({ waitMs });
    };
    const waitMs = await deps.throttling.waitLeft(subjects);
    if (waitMs > 0) return wait(waitMs);
    const network = senderNetworkOf(networkAddress);
    for (let looks = 1; ; looks++) {
      const matched = await deps.passwords.match(personId, request.oldPassword, network);
      if (matched === undefined) {
        const begun = await refuse(deps, request, session, subjects, call);
        if (begun > 0) return wait(begun);
        call.refused(WRONG);
        return again({ oldRefused: true });
      }
      const { begun, stillAllowed, waitBegun } = withNewSecret(deps, session, { matched, subjects });
      const keptSession = begun.session.digest;
      const given = { personId, password: request.password, actor: personId, by: "old password", keptSession } as const;
      // The password's proof is checked again inside: another change, or the end of this session, may have come first.
      const setAt = await deps.passwordChange.set({ ...given, stillAllowed }, call);
      if (setAt !== undefined) {
        const deviceProof = deps.throttling.deviceProof(owner.email, setAt, setAt) ?? null;
        return { answer: { $case: "sessionSecret", value: begun.secret }, deviceProof };
      }
      if (waitBegun() > 0) return wait(waitBegun());
      // A session that goes on had its password hashed again meanwhile, by a sign-in: it is the same password.
      if (looks === LOOKS_MAX || (await deps.sessions.find(secret)) === undefined) return ended(AccountOutcome.NOBODY);
    }
  };

/**
 * Gives this session another secret, in the transaction that sets the password; unless other guesses began a wait
 * meanwhile, as at a sign-in. Otherwise many parallel guesses would reveal the right one.
 */
function withNewSecret(
  deps: ChangePasswordDeps,
  session: SignOnSession,
  proven: { readonly matched: string; readonly subjects: Parameters<Throttling["succeed"]>[1] },
) {
  const begun = deps.sessions.begin(session.personId, deps.clock.now(), session.device, [session.authenticatedAt]);
  let waitMs = 0;
  const stillAllowed: NewPassword["stillAllowed"] = async (change) => {
    const { db, at } = change;
    waitMs = 0;
    if (!(await deps.credentials.lockPasswordHash(db, session.personId, proven.matched))) return false;
    waitMs = await deps.throttling.succeed(change, proven.subjects);
    if (waitMs > 0) return false;
    // All of them, since the others end next.
    await deps.sessionRepository.lockAllOf(db, session.personId);
    if (!(await deps.sessionRepository.end(db, session.digest, at))) return false;
    await deps.sessionRepository.create(db, begun.session);
    return true;
  };
  return { begun, stillAllowed, waitBegun: () => waitMs };
}

/** Counts and records the failure; returns how long to wait when another one was counted first. */
function refuse(
  { throttling, signIns, changes }: ChangePasswordDeps,
  { sender }: Pick<ChangePasswordRequest, "sender">,
  { personId }: SignOnSession,
  subjects: Parameters<Throttling["fail"]>[1],
  { requestId }: Call,
): Promise<number> {
  return changes.run(
    async (change) => {
      const { waitMs, begun } = await throttling.fail(change, subjects);
      const facts = { because: "wrong old password" };
      await change.audit({ actor: personId, action: "password.refuse", object: personId, facts });
      const attempt = { applicationId: undefined, instanceId: undefined, sender };
      for (const { kind, waitMs: begunMs } of begun)
        await signIns.throttle(change, attempt, { by: kind, seconds: begunMs / 1_000 }, personId, personId);
      return waitMs;
    },
    { requestId },
  );
}

const ownerOf = ({ email, firstName, lastName }: AccountHolder["person"]): PasswordOwner => ({
  email,
  firstName: firstName ?? undefined,
  lastName: lastName ?? undefined,
});

const tokenOf = (sessionSecret: string): string => sessionFormToken(sessionSecret, "change password");

const ended = (value: AccountOutcome): ChangePasswordResponse => ({ answer: { $case: "outcome", value } });

const formPage = (
  { email }: Pick<PasswordOwner, "email">,
  sessionSecret: string,
  more: {
    readonly flaw?: PasswordFlaw | "different";
    readonly oldRefused?: boolean;
    readonly waitMs?: number;
  },
): PasswordChangePage => ({
  formToken: tokenOf(sessionSecret),
  email,
  flaw: toFlawMessage(more.flaw),
  lengthMin: PASSWORD_LENGTH_MIN,
  lengthMax: PASSWORD_LENGTH_MAX,
  oldRefused: more.oldRefused ?? false,
  waitSeconds: more.waitMs === undefined ? null : Math.ceil(more.waitMs / 1_000),
});
