import { LogoutRefusal } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { HOUR_MS } from "#runtime/basis/durations.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Application } from "../../applications/application.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { readIdTokenHint } from "../../id-tokens/id-token-hint.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";
import type { SignOnTables } from "../../tables.ts";
import type { SenderNetwork } from "../../throttling/network.ts";
import type { WaitingRoom } from "../../throttling/waiting-room.ts";
import type { LogoutParameters } from "./logout-request.ts";
import type { LogoutRequest, LogoutRequestRepository } from "./logout-request-repository.ts";

export interface LogoutRequestsDeps {
  readonly applications: Pick<ApplicationRepository, "find">;
  readonly logouts: LogoutRequestRepository;
  /** The stored requests that wait; anybody may send them. */
  readonly waiting: WaitingRoom;
  readonly changes: Changes<SignOnTables>;
  readonly keys: Pick<SigningKeys, "hintVerifier">;
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** How long a person may take to answer. */
const LOGOUT_LIFETIME_MS = HOUR_MS;

/** A person's own sign-out: no application asked, and no redirect follows. */
export const WITHOUT_APPLICATION: LogoutRequest = {
  applicationId: undefined,
  postLogoutRedirectUri: undefined,
  state: undefined,
  sid: undefined,
  personId: undefined,
};

/** Why a request is refused. */
export type RefusalReason = Exclude<LogoutRefusal, LogoutRefusal.UNSPECIFIED | LogoutRefusal.UNRECOGNIZED>;

type Proven = LogoutRequest | { readonly reason: RefusalReason };

/**
 * Checks hint, application and address, in this order. The address must be registered for the application that the hint
 * or client_id names (§3).
 */
export async function proveLogout(deps: LogoutRequestsDeps, parameters: LogoutParameters): Promise<Proven> {
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
    state,
    sid: hint?.sid,
    personId: hint?.personId,
  };
}

/** True also without an address: then the person sees a page of ours. */
const isRegistered = (postLogoutRedirectUri: string | undefined, application: Application | undefined): boolean =>
  postLogoutRedirectUri === undefined || application?.postLogoutRedirectUris.includes(postLogoutRedirectUri) === true;

/** Stores a request until the person or the browser comes for it; too many of one network displace its oldest (R-X355). */
export async function storeLogout(
  { changes, logouts, waiting, clock, random }: LogoutRequestsDeps,
  request: LogoutRequest,
  network: SenderNetwork,
  { requestId }: Call,
): Promise<string> {
  const id = randomCharacters(random, 22);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LOGOUT_LIFETIME_MS);
  waiting.forget(createdAt);
  await waiting.enter({ id, network, expiresAt }, (displaced) =>
    changes.run(
      async ({ db }) => {
        await logouts.create(db, { ...request, id, createdAt, expiresAt });
        for (const one of displaced) await logouts.remove(db, one.id);
      },
      { requestId, recognizesItself: true },
    ),
  );
  return id;
}

/** A request that waits, with its application; the person's own has no id and no application. */
type Waiting = LogoutRequest & { readonly id: string | undefined; readonly application: Application | undefined };

/**
 * The stored request with that id; without an id, the person's own. Of an application or address that is not registered any
 * more it leads nowhere (R-X121).
 */
export async function findLogout(
  { applications, logouts, clock }: LogoutRequestsDeps,
  id: string | undefined,
): Promise<Waiting | { readonly reason: RefusalReason }> {
  if (id === undefined) return { ...WITHOUT_APPLICATION, id, application: undefined };
  const stored = await logouts.findOpen(id, clock.now());
  if (stored === undefined) return { reason: LogoutRefusal.GONE };
  const { applicationId, postLogoutRedirectUri } = stored;
  const application = applicationId === undefined ? undefined : await applications.find(applicationId);
  if (applicationId !== undefined && application === undefined) return { reason: LogoutRefusal.UNKNOWN_APPLICATION };
  if (!isRegistered(postLogoutRedirectUri, application)) return { reason: LogoutRefusal.UNREGISTERED_ADDRESS };
  return { ...stored, application };
}

/** Forgets a request that waits; the person's own has nothing to forget. */
export async function forgetLogout(
  { changes, logouts, waiting }: LogoutRequestsDeps,
  { id }: { readonly id: string | undefined },
  { requestId }: Call,
): Promise<void> {
  if (id === undefined) return;
  await changes.run(({ db }) => logouts.remove(db, id), { requestId, recognizesItself: true });
  waiting.release(id);
}
