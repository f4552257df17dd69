import {
  type ApplicationAddress,
  type BeginLogoutRequest,
  type BeginLogoutResponse,
  LogoutRefusal,
  type LogoutStep,
  type ShowSignedOutRequest,
  type ShowSignedOutResponse,
  type ShowSignOutRequest,
  type ShowSignOutResponse,
  type SubmitSignOutRequest,
  type SubmitSignOutResponse,
} from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Application } from "../../applications/application.ts";
import { redirectOrigin, webOrigin } from "../../applications/redirect-uri.ts";
import { digestOf } from "../../digest.ts";
import { isFormToken } from "../../interactions/form-token.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal, type RefusedBy } from "../../refusals/refused.ts";
import type { SignOnSession } from "../../sessions/session-repository.ts";
import { type Sessions, sessionFormToken, sidOf } from "../../sessions/sessions.ts";
import type { SignOuts } from "../../sessions/sign-out-service.ts";
import { senderNetworkOf } from "../../throttling/network.ts";
import { parseLogoutRequest, postLogoutLocation } from "./logout-request.ts";
import type { LogoutRequest } from "./logout-request-repository.ts";
import {
  findLogout,
  forgetLogout,
  type LogoutRequestsDeps,
  proveLogout,
  type RefusalReason,
  storeLogout,
  WITHOUT_APPLICATION,
} from "./logout-requests-service.ts";

interface LogoutDeps extends LogoutRequestsDeps {
  readonly sessions: Sessions;
  readonly signOuts: Pick<SignOuts, "ofSession" | "ofRemoved">;
}

/**
 * Answers a request for sign-out (RP-Initiated Logout 1.0 §2). A mistake gets an error page and ends nothing. The
 * cookie decides which session ends; a hint of that same session only saves the question.
 */
export const beginLogout =
  (deps: LogoutDeps) =>
  async (request: BeginLogoutRequest, call: RefusingCall): Promise<BeginLogoutResponse> => {
    const parameters = parseLogoutRequest(request.parameters);
    if (parameters === undefined) return { step: refused(LogoutRefusal.MALFORMED, call) };
    const proven = await proveLogout(deps, parameters);
    if ("reason" in proven) return { step: refused(proven.reason, call) };
    const keep = () => storeLogout(deps, proven, senderNetworkOf(request.networkAddress), call);
    if (request.posted) return { step: question(await keep()) };

    const session = await deps.sessions.find(request.sessionSecret ?? undefined);
    if (session === undefined) {
      await endIdle(deps, request, (idle) => meansSession(proven, idle), { ...proven, id: undefined }, call);
      return { step: signedOut(proven, sentCookie(request)) };
    }
    if (meansSession(proven, session)) {
      await end(deps, session, proven, undefined, call);
      return { step: signedOut(proven, true) };
    }
    return { step: question(proven.applicationId === undefined ? undefined : await keep()) };
  };

/**
 * Shows the sign-out question, or continues without it when the browser has no session or the hint is of this session.
 */
export const showSignOut =
  (deps: LogoutDeps) =>
  async (request: ShowSignOutRequest, call: RefusingCall): Promise<ShowSignOutResponse> => {
    const stored = await findLogout(deps, request.logoutId ?? undefined);
    if ("reason" in stored) return { answer: step(refused(stored.reason, call)) };
    const session = await deps.sessions.find(request.sessionSecret ?? undefined);
    if (session === undefined) {
      if (!(await endIdle(deps, request, (idle) => meansSession(stored, idle), stored, call)))
        await forgetLogout(deps, stored, call);
      return { answer: step(signedOut(stored, sentCookie(request))) };
    }
    if (meansSession(stored, session)) {
      await end(deps, session, stored, stored.id, call);
      return { answer: step(signedOut(stored, true)) };
    }
    const leadsTo = stored.postLogoutRedirectUri;
    return {
      answer: {
        $case: "page",
        value: {
          logoutId: stored.id ?? null,
          formToken: tokenOf(stored.id, request.sessionSecret ?? ""),
          applicationName: stored.application?.name ?? null,
          redirectOrigin: leadsTo === undefined ? null : redirectOrigin(leadsTo),
        },
      },
    };
  };

/**
 * Takes the person's yes. A second submission finds the request answered, or no session: the form of a session that has
 * ended meanwhile is another press of the same button, and its person is signed out.
 */
export const submitSignOut =
  (deps: LogoutDeps) =>
  async (request: SubmitSignOutRequest, call: RefusingCall): Promise<SubmitSignOutResponse> => {
    const logoutId = request.logoutId ?? undefined;
    const stored = await findLogout(deps, logoutId);
    const session = await deps.sessions.find(request.sessionSecret ?? undefined);
    const expected = tokenOf(logoutId, request.sessionSecret ?? "");
    const isOwnForm = isFormToken(request.formToken, expected);
    if ("reason" in stored) {
      const isSignedOut = session === undefined && sentCookie(request) && isOwnForm;
      if (stored.reason !== LogoutRefusal.GONE || !isSignedOut) return { step: refused(stored.reason, call) };
      await endIdle(deps, request, () => true, { ...WITHOUT_APPLICATION, id: undefined }, call);
      return { step: signedOut(WITHOUT_APPLICATION, true) };
    }
    if (session === undefined) {
      if (!(await endIdle(deps, request, () => isOwnForm, stored, call))) await forgetLogout(deps, stored, call);
      return { step: signedOut(stored, sentCookie(request)) };
    }
    if (!isOwnForm) return { step: refused(LogoutRefusal.FORM, call) };
    await end(deps, session, stored, stored.id, call);
    return { step: signedOut(stored, true) };
  };

/**
 * Whether the browser has a session, so that the signed-out page would be wrong; and where the application is that
 * asked.
 */
export const showSignedOut =
  ({ sessions, applications }: Pick<LogoutDeps, "sessions" | "applications">) =>
  async ({ sessionSecret, applicationId }: ShowSignedOutRequest): Promise<ShowSignedOutResponse> => {
    // Without a name the store is not asked, so that the page is there also while the store is away.
    const application = typeof applicationId === "string" ? await applications.find(applicationId) : undefined;
    return {
      signedIn: (await sessions.find(sessionSecret ?? undefined)) !== undefined,
      application: application === undefined ? null : addressOf(application),
    };
  };

/** The application's web origin, if all its redirect URIs have the same one (R-X205). */
function addressOf({ name, redirectUris }: Application): ApplicationAddress | null {
  const [origin, ...others] = new Set(redirectUris.map(({ uri }) => webOrigin(uri)));
  return origin === undefined || others.length > 0 ? null : { name, origin };
}

type NamedSession = Pick<SignOnSession, "digest" | "personId">;

const meansSession = ({ sid }: LogoutRequest, session: NamedSession): boolean => sid === sidOf(session.digest);

/**
 * Ends a session that is idle or has expired, with what was issued from it, when it is meant: its person is not signed in any
 * more and is not asked. Of a session that was removed since, the cookie is the proof, and the hint says whose it was. False
 * when there is no such session.
 */
async function endIdle(
  deps: LogoutDeps,
  { sessionSecret }: { readonly sessionSecret?: string | null | undefined },
  isMeant: (session: NamedSession) => boolean,
  request: LogoutRequest & { readonly id: string | undefined },
  call: Call,
): Promise<boolean> {
  const idle = await deps.sessions.findUnended(sessionSecret ?? undefined);
  const named = idle ?? removedSession(sessionSecret, request);
  if (named === undefined || !isMeant(named)) return false;
  await end(deps, named, request, request.id, call, idle === undefined ? "ofRemoved" : "ofSession");
  return true;
}

const removedSession = (
  sessionSecret: string | null | undefined,
  { personId }: LogoutRequest,
): NamedSession | undefined =>
  typeof sessionSecret === "string" && personId !== undefined
    ? { digest: digestOf(sessionSecret), personId }
    : undefined;

/** One transaction answers the request and ends the session; of two parallel calls one writes. */
async function end(
  { changes, signOuts, logouts, waiting }: LogoutDeps,
  session: NamedSession,
  { applicationId }: LogoutRequest,
  logoutId: string | undefined,
  call: Call,
  how: "ofSession" | "ofRemoved" = "ofSession",
): Promise<void> {
  await changes.run(
    async ({ db, at, audit }) => {
      if (logoutId !== undefined) await logouts.remove(db, logoutId);
      if (!(await signOuts[how](db, session, at))) return;
      const { personId } = session;
      await audit({
        actor: personId,
        action: "session.end",
        object: personId,
        facts: { because: "signed out", application: applicationId ?? null },
      });
    },
    { requestId: call.requestId, recognizesItself: true },
  );
  if (logoutId !== undefined) waiting.release(logoutId);
}

const tokenOf = (logoutId: string | undefined, sessionSecret: string): string =>
  sessionFormToken(sessionSecret, "sign out", logoutId ?? "");

const sentCookie = ({ sessionSecret }: { readonly sessionSecret?: string | null | undefined }): boolean =>
  typeof sessionSecret === "string";

const step = (value: LogoutStep): { $case: "step"; value: LogoutStep } => ({ $case: "step", value });

/** The error page, noted under the reference that it shows. */
function refused(reason: RefusalReason, call: RefusingCall): LogoutStep {
  call.refused(REFUSALS[reason]);
  return { step: { $case: "refused", value: { reason } } };
}

const REFUSALS: Readonly<Record<RefusalReason, RefusedBy>> = {
  [LogoutRefusal.MALFORMED]: pageRefusal("logout.malformed"),
  [LogoutRefusal.UNREADABLE_HINT]: pageRefusal("logout.hint_unreadable"),
  [LogoutRefusal.UNKNOWN_APPLICATION]: pageRefusal("logout.application_unknown"),
  [LogoutRefusal.UNREGISTERED_ADDRESS]: pageRefusal("logout.address_not_registered"),
  [LogoutRefusal.GONE]: pageRefusal("logout.gone"),
  [LogoutRefusal.FORM]: pageRefusal("form.refused"),
};

const question = (logoutId: string | undefined): LogoutStep => ({
  step: { $case: "question", value: { logoutId: logoutId ?? null } },
});

const signedOut = (
  { applicationId, postLogoutRedirectUri, state }: LogoutRequest,
  sessionEnded: boolean,
): LogoutStep => {
  const location = postLogoutRedirectUri === undefined ? null : postLogoutLocation(postLogoutRedirectUri, state);
  return { step: { $case: "signedOut", value: { location, sessionEnded, applicationId: applicationId ?? null } } };
};
