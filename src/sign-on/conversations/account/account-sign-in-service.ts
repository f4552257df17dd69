import type {
  ShowAccountSignInRequest,
  ShowAccountSignInResponse,
  SignInToAccountRequest,
  SignInToAccountResponse,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { digestOf, sameDigest } from "../../digest.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import { sessionFormToken } from "../../sessions/sessions.ts";
import type { PasswordAttempt, PasswordSignIn } from "../../sign-ins/password-sign-in-service.ts";
import { type AccountHolderDeps, findAccountHolder } from "./account-holder.ts";

interface AccountSignInDeps extends AccountHolderDeps {
  readonly workforce: Pick<PromiseClient<typeof SignInService>, "getPerson" | "recordSignInEverywhere">;
  readonly random: Random;
  /** The one way to sign in, with its throttling and its records. */
  readonly signIn: (attempt: PasswordAttempt, call: RefusingCall) => Promise<PasswordSignIn>;
}

/**
 * The sign-in page without an application. There is no interaction: the page has a secret of its own in a cookie, from which its form's token
 * is derived, so that no other site can sign a person in here (S10).
 */
export const showAccountSignIn =
  (deps: AccountSignInDeps) =>
  async (request: ShowAccountSignInRequest, call: Call): Promise<ShowAccountSignInResponse> => {
    const signedIn = (await findAccountHolder(deps, request.sessionSecret, call)) !== undefined;
    const pageSecret = request.pageSecret ?? newSecret(deps.random);
    return { signedIn, formToken: tokenOf(pageSecret), pageSecret };
  };

/**
 * Checks e-mail and password as every sign-in does (R-S17), and records the sign-in with workforce. Without an
 * application there is no instance, so the sign-in counts on all of the person's instances (R-X162). If it cannot be
 * recorded, the sign-in fails.
 */
export const signInToAccount =
  ({ sessions, signIn, workforce }: AccountSignInDeps) =>
  async (request: SignInToAccountRequest, call: RefusingCall): Promise<SignInToAccountResponse> => {
    const { pageSecret, formToken, email, password, sender } = request;
    const known = typeof pageSecret === "string" && pageSecret !== "";
    if (!known || !sameDigest(digestOf(formToken), digestOf(tokenOf(pageSecret)))) {
      call.refused(pageRefusal("form.refused"));
      return { answer: { $case: "formRefused", value: true } };
    }
    const session = await sessions.find(request.sessionSecret ?? undefined);
    const deviceProof = request.deviceProof ?? undefined;
    const attempt = { applicationId: undefined, instanceId: undefined, sender, email, password, session, deviceProof };
    const signedIn = await signIn(attempt, call);
    switch (signedIn.outcome) {
      case "succeeded": {
        const { personId, authenticatedAt } = signedIn.session;
        await workforce.recordSignInEverywhere({ personId, authenticatedAt }, { requestId: call.requestId });
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

const tokenOf = (pageSecret: string): string => sessionFormToken(pageSecret, "account sign-in");
