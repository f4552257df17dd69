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
import type { Clock } from "#runtime/basis/clock.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Application } from "../../applications/application.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { redirectOrigin, webOrigin } from "../../applications/redirect-uri.ts";
import { digestOf, sameDigest } from "../../digest.ts";
import { readIdTokenHint } from "../../id-tokens/id-token-hint.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { pageRefusal, type RefusedBy } from "../../refusals/refused.ts";
import type { SignOnSession } from "../../sessions/session-repository.ts";
import { type Sessions, sessionFormToken, sidOf } from "../../sessions/sessions.ts";
import type { SignOuts } from "../../sessions/sign-out-service.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";
import type { SignOnTables } from "../../tables.ts";
import { senderNetworkOf } from "../../throttling/network.ts";
import type { WaitingRoom } from "../../throttling/waiting-room.ts";
import { type LogoutParameters, parseLogoutRequest, postLogoutLocation } from "./logout-request.ts";
import type { LogoutRequest, LogoutRequestRepository } from "./logout-request-repository.ts";

interface LogoutDeps {
  readonly applications: Pick<ApplicationRepository, "find">;
  readonly logouts: LogoutRequestRepository;
  /** The stored requests that wait; anybody may send them. */
  readonly waiting: WaitingRoom;
  readonly sessions: Sessions;
  readonly signOuts: Pick<SignOuts, "ofSession">;
  readonly changes: Changes<SignOnTables>;
  readonly keys: Pick<SigningKeys, "verifier">;
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** How long a person may take to answer. */
const LOGOUT_LIFETIME_MS = 60 * 60 * 1000;

/** A person's own sign-out: no application asked, and no redirect follows. */
const WITHOUT_APPLICATION: LogoutRequest = {
  applicationId: undefined,
  postLogoutRedirectUri: undefined,
  state: undefined,
  sid: undefined,
};

/**
 * Answers a request for sign-out (RP-Initiated Logout 1.0 §2). A mistake gets an error page and ends nothing. The
 * cookie decides which session ends; a hint of that same session only saves the question.
 */
export const beginLogout =
  (deps: LogoutDeps) =>
  async (request: BeginLogoutRequest, call: RefusingCall): Promise<BeginLogoutResponse> => {
    const parameters = parseLogoutRequest(request.parameters);
    if (parameters === undefined) return { step: refused(LogoutRefusal.MALFORMED, call) };
    const proven = await prove(deps, parameters);
    if ("reason" in proven) return { step: refused(proven.reason, call) };
    const keep = () => store(deps, proven, senderNetworkOf(request.networkAddress), call);
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
    const stored = await find(deps, request.logoutId ?? undefined);
    if ("reason" in stored) return { answer: step(refused(stored.reason, call)) };
    const session = await deps.sessions.find(request.sessionSecret ?? undefined);
    if (session === undefined) {
      if (!(await endIdle(deps, request, (idle) => meansSession(stored, idle), stored, call)))
        await forget(deps, stored, call);
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
    const stored = await find(deps, logoutId);
    const session = await deps.sessions.find(request.sessionSecret ?? undefined);
    const expected = tokenOf(logoutId, request.sessionSecret ?? "");
    const isOwnForm = sameDigest(digestOf(request.formToken), digestOf(expected));
    if ("reason" in stored) {
      const isSignedOut = session === undefined && sentCookie(request) && isOwnForm;
      if (stored.reason !== LogoutRefusal.GONE || !isSignedOut) return { step: refused(stored.reason, call) };
      await endIdle(deps, request, () => true, { ...WITHOUT_APPLICATION, id: undefined }, call);
      return { step: signedOut(WITHOUT_APPLICATION, true) };
    }
    if (session === undefined) {
      if (!(await endIdle(deps, request, () => isOwnForm, stored, call))) await forget(deps, stored, call);
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

type Reason = Exclude<LogoutRefusal, LogoutRefusal.UNSPECIFIED | LogoutRefusal.UNRECOGNIZED>;

type Proven = LogoutRequest | { readonly reason: Reason };

/**
 * Checks hint, application and address, in this order. The address must be registered for the application that the hint
 * or client_id names (§3).
 */
async function prove(deps: LogoutDeps, parameters: LogoutParameters): Promise<Proven> {
  const { idTokenHint, applicationId, postLogoutRedirectUri, state } = parameters;
  const hint = idTokenHint === undefined ? undefined : await readIdTokenHint(deps, idTokenHint);
  if (idTokenHint !== undefined && hint === undefined) return { reason: LogoutRefusal.UNREADABLE_HINT };

  const application = await deps.applications.find(applicationId ?? hint?.applicationId ?? "");
  const mismatch = applicationId !== undefined && hint !== undefined && hint.applicationId !== applicationId;
  if (mismatch || (applicationId !== undefined && application === undefined))
    return { reason: LogoutRefusal.UNKNOWN_APPLICATION };

  if (!isRegistered(postLogoutRedirectUri, application)) return { reason: LogoutRefusal.UNREGISTERED_ADDRESS };

  return {
    applicationId: application?.id,
    postLogoutRedirectUri,
    state: postLogoutRedirectUri === undefined ? undefined : state,
    sid: hint?.sid,
  };
}

/** True also without an address: then the person sees a page of ours. */
const isRegistered = (postLogoutRedirectUri: string | undefined, application: Application | undefined): boolean =>
  postLogoutRedirectUri === undefined || application?.postLogoutRedirectUris.includes(postLogoutRedirectUri) === true;

const meansSession = ({ sid }: LogoutRequest, session: SignOnSession): boolean => sid === sidOf(session.digest);

/**
 * Ends a session that is idle or has expired, with what was issued from it, when it is meant: its person is not signed in any
 * more and is not asked. False when there is no such session.
 */
async function endIdle(
  deps: LogoutDeps,
  { sessionSecret }: { readonly sessionSecret?: string | null | undefined },
  isMeant: (session: SignOnSession) => boolean,
  request: LogoutRequest & { readonly id: string | undefined },
  call: Call,
): Promise<boolean> {
  const idle = await deps.sessions.findUnended(sessionSecret ?? undefined);
  if (idle === undefined || !isMeant(idle)) return false;
  await end(deps, idle, request, request.id, call);
  return true;
}

/** One transaction answers the request and ends the session; of two parallel calls one writes. */
async function end(
  { changes, signOuts, logouts, waiting }: LogoutDeps,
  session: SignOnSession,
  { applicationId }: LogoutRequest,
  logoutId: string | undefined,
  call: Call,
): Promise<void> {
  await changes.run(
    async ({ db, at, audit }) => {
      if (logoutId !== undefined) await logouts.remove(db, logoutId);
      if (!(await signOuts.ofSession(db, session, at))) return;
      const { personId } = session;
      await audit({
        actor: personId,
        action: "session.end",
        object: personId,
        facts: { because: "signed out", application: applicationId ?? null },
      });
    },
    { requestId: call.requestId },
  );
  if (logoutId !== undefined) waiting.release(logoutId);
}

/** Stores a request until the person or the browser comes for it; too many of one network displace its oldest (R-X355). */
async function store(
  { changes, logouts, waiting, clock, random }: LogoutDeps,
  request: LogoutRequest,
  network: string,
  { requestId }: Call,
): Promise<string> {
  const id = randomCharacters(random, 22);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LOGOUT_LIFETIME_MS);
  waiting.forget(createdAt);
  const displaced = waiting.enter({ id, network, expiresAt });
  const stored = changes.run(
    async ({ db }) => {
      await logouts.create(db, { ...request, id, createdAt, expiresAt });
      for (const one of displaced) await logouts.remove(db, one.id);
    },
    { requestId },
  );
  await stored.catch((error: unknown) => {
    waiting.takeBack(id, displaced);
    throw error;
  });
  return id;
}

/** A request that waits, with its application; the person's own has no id and no application. */
type Waiting = LogoutRequest & { readonly id: string | undefined; readonly application: Application | undefined };

/**
 * The stored request with that id; without an id, the person's own. Of an application or address that is not registered any
 * more it leads nowhere (R-X121).
 */
async function find(
  { applications, logouts, clock }: LogoutDeps,
  id: string | undefined,
): Promise<Waiting | { readonly reason: Reason }> {
  if (id === undefined) return { ...WITHOUT_APPLICATION, id, application: undefined };
  const stored = await logouts.findOpen(id, clock.now());
  if (stored === undefined) return { reason: LogoutRefusal.GONE };
  const { applicationId, postLogoutRedirectUri } = stored;
  const application = applicationId === undefined ? undefined : await applications.find(applicationId);
  if (applicationId !== undefined && application === undefined) return { reason: LogoutRefusal.UNKNOWN_APPLICATION };
  if (!isRegistered(postLogoutRedirectUri, application)) return { reason: LogoutRefusal.UNREGISTERED_ADDRESS };
  return { ...stored, application };
}

async function forget(
  { changes, logouts, waiting }: LogoutDeps,
  { id }: { readonly id: string | undefined },
  { requestId }: Call,
): Promise<void> {
  if (id === undefined) return;
  await changes.run(({ db }) => logouts.remove(db, id), { requestId });
  waiting.release(id);
}

const tokenOf = (logoutId: string | undefined, sessionSecret: string): string =>
  sessionFormToken(sessionSecret, "sign out", logoutId ?? "");

const sentCookie = ({ sessionSecret }: { readonly sessionSecret?: string | null | undefined }): boolean =>
  typeof sessionSecret === "string";

const step = (value: LogoutStep): { $case: "step"; value: LogoutStep } => ({ $case: "step", value });

/** The error page, noted under the reference that it shows. */
function refused(reason: Reason, call: RefusingCall): LogoutStep {
  call.refused(REFUSALS[reason]);
  return { step: { $case: "refused", value: { reason } } };
}

const REFUSALS: Readonly<Record<Reason, RefusedBy>> = {
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
