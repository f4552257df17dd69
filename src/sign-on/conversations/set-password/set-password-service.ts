import {
  PasswordLinkEnd as PasswordLinkEndMessage,
  type SetPasswordPage,
  type ShowSetPasswordRequest,
  type ShowSetPasswordResponse,
  type SubmitSetPasswordRequest,
  type SubmitSetPasswordResponse,
} from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { PasswordLinkPurpose } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { NewPassword, PasswordChange } from "../../credentials/password-change-service.ts";
import type { PasswordLinkEnd } from "../../credentials/password-link.ts";
import type { PasswordLinkRepository } from "../../credentials/password-link-repository.ts";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordFlaw,
  passwordFlaw,
  toFlawMessage,
} from "../../credentials/password-rules.ts";
import { type LinkProofDeps, type ProvenLink, proveLink } from "../../credentials/proven-link.ts";
import { formToken, isFormToken } from "../../interactions/form-token.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal, type RefusedBy } from "../../refusals/refused.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Throttling } from "../../throttling/throttling-service.ts";

interface SetPasswordDeps extends LinkProofDeps {
  readonly links: PasswordLinkRepository;
  readonly passwordChange: PasswordChange;
  readonly sessions: Pick<Sessions, "findUnended">;
  readonly throttling: Pick<Throttling, "deviceProof">;
  readonly workforce: PromiseClient<typeof SignInService>;
}

/** Shows the form while the link is valid; does not spend it. */
export const showSetPassword =
  (deps: LinkProofDeps) =>
  async ({ token }: ShowSetPasswordRequest, call: RefusingCall): Promise<ShowSetPasswordResponse> => {
    const found = await proveLink(deps, token, call);
    if ("end" in found) return ended(found.end, call);
    return { answer: { $case: "page", value: formPage(found, token, undefined) } };
  };

/**
 * Sets the password if the link is valid and the password breaks no rule. The address is confirmed first, since an
 * unspent link can be retried; then one transaction spends the link and sets the password, so of two forms one succeeds
 * (S18). The browser is known from then on, so that the person does not wait there for failures from before (R-X382); another person who
 * was signed in there is signed out (R-X409).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full); the link stays valid.
 */
export const submitSetPassword =
  (deps: SetPasswordDeps) =>
  async (request: SubmitSetPasswordRequest, call: RefusingCall): Promise<SubmitSetPasswordResponse> => {
    const { token, password } = request;
    const found = await proveLink(deps, token, call);
    if ("end" in found) return ended(found.end, call);
    if (!isFormToken(request.formToken, tokenOf(found, token))) {
      call.refused(pageRefusal("form.refused"));
      return { answer: { $case: "formRefused", value: {} } };
    }
    const { link, owner } = found;
    const flaw = passwordFlaw(password, owner) ?? (password === request.passwordAgain ? undefined : "different");
    if (flaw !== undefined) return { answer: { $case: "page", value: formPage(found, token, flaw) } };

    const { personId, createdAt: obtainedAt, digest, purpose, personState: state = "" } = link;
    const proof = { personId, obtainedAt, state };
    const { confirmed } = await deps.workforce.confirmEmail(proof, { requestId: call.requestId });
    if (!confirmed) return ended("withdrawn", call);
    const stillAllowed: NewPassword["stillAllowed"] = ({ db, at }) => deps.links.spend(db, digest, at);
    const browserSession = await deps.sessions.findUnended(request.sessionSecret ?? undefined);
    const given = { personId, password, actor: personId, by: purpose, stillAllowed, browserSession };
    const setAt = await deps.passwordChange.set(given, call);
    if (setAt !== undefined) {
      const { email } = owner;
      const deviceProof = deps.throttling.deviceProof(email, setAt, setAt) ?? null;
      return { answer: { $case: "passwordSet", value: { email, deviceProof } } };
    }
    const now = await proveLink(deps, token, call);
    return ended("end" in now ? now.end : "used", call);
  };

const tokenOf = ({ link }: ProvenLink, token: string): string =>
  formToken(link.digest.toString("base64url"), token, { page: "set-password" });

const formPage = (found: ProvenLink, token: string, flaw: PasswordFlaw | "different" | undefined): SetPasswordPage => ({
  formToken: tokenOf(found, token),
  email: found.owner.email,
  purpose: valueOfLower(PasswordLinkPurpose, found.link.purpose),
  flaw: toFlawMessage(flaw),
  lengthMin: PASSWORD_LENGTH_MIN,
  lengthMax: PASSWORD_LENGTH_MAX,
});

/** The page that says why the link is invalid; noted under the reference that it shows. */
function ended(end: PasswordLinkEnd, call: RefusingCall) {
  call.refused(ENDS[end]);
  return { answer: { $case: "end", value: valueOfLower(PasswordLinkEndMessage, end) } } as const;
}

const ENDS: Readonly<Record<PasswordLinkEnd, RefusedBy>> = {
  unknown: pageRefusal("link.unknown"),
  expired: pageRefusal("link.expired"),
  used: pageRefusal("link.used"),
  withdrawn: pageRefusal("link.withdrawn"),
};
