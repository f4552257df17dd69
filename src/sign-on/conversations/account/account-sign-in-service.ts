import type {
  ShowAccountSignInRequest,
  ShowAccountSignInResponse,
  SignInToAccountRequest,
  SignInToAccountResponse,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { isFormToken } from "../../interactions/form-token.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import type { SignOnSession } from "../../sessions/session-repository.ts";
import { type Sessions, sessionFormToken } from "../../sessions/sessions.ts";
import type { SignOuts } from "../../sessions/sign-out-service.ts";
import type { PasswordAttempt, PasswordSignIn } from "../../sign-ins/password-sign-in-service.ts";
import type { SignOnTables } from "../../tables.ts";
import { type AccountHolderDeps, findAccountHolder } from "./account-holder.ts";

interface ShowAccountSignInDeps extends AccountHolderDeps {
  readonly random: Random;
}

interface AccountSignInDeps {
  readonly workforce: Pick<PromiseClient<typeof SignInService>, "recordSignInEverywhere">;
  readonly sessions: Pick<Sessions, "findUnended">;
  readonly signOuts: Pick<SignOuts, "ofSession">;
  readonly changes: Changes<SignOnTables>;
  /** The one way to sign in, with its throttling and its records. */
  readonly signIn: (attempt: PasswordAttempt, call: RefusingCall) => Promise<PasswordSignIn>;
}

/**
 * The sign-in page without an application. There is no interaction: the page has a secret of its own in a cookie, from which its form's token
 * is derived, so that no other site can sign a person in here (S10).
 */
export const showAccountSignIn =
  (deps: ShowAccountSignInDeps) =>
  async (request: ShowAccountSignInRequest, call: Call): Promise<ShowAccountSignInResponse> => {
    const signedIn = (await findAccountHolder(deps, request.sessionSecret, call)) !== undefined;
    const pageSecret = request.pageSecret ?? newSecret(deps.random);
    return { signedIn, formToken: tokenOf(pageSecret), pageSecret };
  };

/**
 * Checks e-mail and password as every sign-in does (R-S17), and records the sign-in with workforce. Without an
 * application there is no instance, so the sign-in counts on all of the person's instances (R-X162). If it cannot be
 * recorded, the sign-in fails, and its session ends.
 */
export const signInToAccount =
  (deps: AccountSignInDeps) =>
  async (request: SignInToAccountRequest, call: RefusingCall): Promise<SignInToAccountResponse> => {
    const { pageSecret, formToken, email, password, sender } = request;
    const known = typeof pageSecret === "string" && pageSecret !== "";
    if (!known || !isFormToken(formToken, tokenOf(pageSecret))) {
      call.refused(pageRefusal("form.refused"));
      return { answer: { $case: "formRefused", value: true } };
    }
    const sessionSecret = request.sessionSecret ?? undefined;
    const from = {
      sender,
      findOldSession: () => deps.sessions.findUnended(sessionSecret),
      sessionSecret,
      deviceProof: request.deviceProof ?? undefined,
    };
    const attempt = { applicationId: undefined, instanceId: undefined, email, password, ...from };
    const signedIn = await deps.signIn(attempt, call);
    switch (signedIn.outcome) {
      case "succeeded": {
        await record(deps, signedIn.session, call);
        return {
          answer: { $case: "sessionSecret", value: signedIn.secret },
          deviceProof: signedIn.deviceProof ?? null,
        };
      }
      case "throttled":
        return { answer: { $case: "waitSeconds", value: Math.ceil(signedIn.waitMs / 1_000) } };
      default:
        return { answer: { $case: "refused", value: true } };
    }
  };

/** No browser gets the cookie of a sign-in that failed, so its session would stay until it is idle. */
async function record(
  { workforce, signOuts, changes }: AccountSignInDeps,
  session: SignOnSession,
  { requestId }: Call,
): Promise<void> {
  const { personId, authenticatedAt } = session;
  try {
    await workforce.recordSignInEverywhere({ personId, authenticatedAt }, { requestId });
  } catch (error) {
    const end = changes.run(
      async ({ db, at, audit }) => {
        if (!(await signOuts.ofSession(db, session, at))) return;
        const facts = { because: "the sign-in was not recorded", application: null };
        await audit({ actor: "services", action: "session.end", object: personId, facts });
      },
      { requestId, recognizesItself: true },
    );
    // The store itself may have failed: then the session is idle later.
    await end.catch(() => undefined);
    throw error;
  }
}

const tokenOf = (pageSecret: string): string => sessionFormToken(pageSecret, "account sign-in");
