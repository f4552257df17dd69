import type {
  AccountAccess,
  AccountPage,
  AccountSession,
  AccountSignIn,
  ShowAccountRequest,
  ShowAccountResponse,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import type { ConsentRepository } from "../../consents/consent-repository.ts";
import type { TokenFamilyRepository } from "../../refresh-tokens/token-family-repository.ts";
import { deviceOf } from "../../sessions/device.ts";
import type { SessionRepository, SignOnSession } from "../../sessions/session-repository.ts";
import { isSessionOver, isUseDue, type Sessions, sessionFormToken, sidOf } from "../../sessions/sessions.ts";
import type { SignInRepository } from "../../sign-ins/sign-in-repository.ts";
import type { SignOnTables } from "../../tables.ts";
import { type AccountHolder, findAccountHolder } from "./account-holder.ts";

interface ShowAccountDeps {
  readonly sessions: Sessions;
  readonly sessionRepository: Pick<SessionRepository, "use">;
  readonly consents: Pick<ConsentRepository, "listOf">;
  readonly families: Pick<TokenFamilyRepository, "listAccessesOf">;
  readonly signInRecords: Pick<SignInRepository, "listRecent">;
  readonly applications: Pick<ApplicationRepository, "findAny" | "findName">;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly changes: Changes<SignOnTables>;
  readonly clock: Clock;
}

/** The most entries of each list on the page; only programs have more. */
const SHOWN_MAX = { sessions: 50, accesses: 50, signIns: 20 } as const;
/** The person's current account; `page` is null without a live session. */
export const showAccount =
  (deps: ShowAccountDeps) =>
  async ({ sessionSecret }: ShowAccountRequest, call: Call): Promise<ShowAccountResponse> => {
    const holder = await findAccountHolder(deps, sessionSecret, call);
    if (holder === undefined) return { page: null };
    const { session, person } = holder;
    await noteUse(deps, session, call);
    const page: AccountPage = {
      formToken: accountFormToken(sessionSecret ?? ""),
      email: person.email,
      sessions: await listSessions(deps, holder),
      accesses: await listAccesses(deps, session, call),
      signIns: await listSignIns(deps, session),
    };
    return { page };
  };

/** The token of every form of the account page. */
export const accountFormToken = (sessionSecret: string): string => sessionFormToken(sessionSecret, "account");

/** Viewing the account uses the session. */
async function noteUse({ sessionRepository, changes, clock }: ShowAccountDeps, session: SignOnSession, call: Call) {
  if (!isUseDue(session, clock.now())) return;
  await changes.run(({ db, at }) => sessionRepository.use(db, session.digest, at), {
    requestId: call.requestId,
    recognizesItself: true,
  });
}

async function listSessions(
  { sessions }: ShowAccountDeps,
  { session: current, person }: AccountHolder,
): Promise<AccountSession[]> {
  const isCurrent = ({ digest }: SignOnSession) => digest.equals(current.digest);
  const live = (await sessions.listOf(current.personId)).filter((session) => !isSessionOver(session, person));
  const latest = live.toSorted((one, other) => other.seenAt.getTime() - one.seenAt.getTime());
  return [current, ...latest.filter((session) => !isCurrent(session))].slice(0, SHOWN_MAX.sessions).map((session) => ({
    sid: sidOf(session.digest),
    current: isCurrent(session),
    device: { ...session.device },
    signedInAt: session.authenticatedAt,
    lastUsedAt: session.seenAt,
  }));
}

async function listAccesses(deps: ShowAccountDeps, { personId }: SignOnSession, call: Call): Promise<AccountAccess[]> {
  const { consents, families, clock } = deps;
  const allowed = (await consents.listOf(personId)).map((consent) => ({ ...consent, ended: true }));
  const living = await families.listAccessesOf(personId, clock.now());
  const parts = [...allowed, ...living.map((access) => ({ ...access, ended: false }))];
  const accesses: AccountAccess[] = [];
  const instances = new Map<InstanceId, string>();
  for (const { applicationId, instanceId, scopes, since, ended } of mergedAccesses(parts)) {
    if (accesses.length === SHOWN_MAX.accesses) break;
    const application = await deps.applications.findAny(applicationId);
    // A deleted application has no access; its consents and families are removed later.
    if (application === undefined) continue;
    if (!instances.has(instanceId)) {
      const { name } = await deps.workforce.getInstance({ instanceId }, { requestId: call.requestId });
      instances.set(instanceId, name);
    }
    const instanceName = instances.get(instanceId) ?? "";
    accesses.push({
      applicationId,
      applicationName: application.name,
      instanceId,
      instanceName,
      scopes: [...scopes],
      since,
      ended,
    });
  }
  return accesses;
}

async function listSignIns(deps: ShowAccountDeps, { personId }: SignOnSession): Promise<AccountSignIn[]> {
  const recent = await deps.signInRecords.listRecent(personId, SHOWN_MAX.signIns);
  return Promise.all(
    recent.map(async ({ at, outcome, applicationId, userAgent }) => ({
      at,
      succeeded: outcome === "succeeded",
      applicationName: applicationId === undefined ? "" : ((await deps.applications.findName(applicationId)) ?? ""),
      device: { ...deviceOf(userAgent ?? "") },
      network: "",
    })),
  );
}

/** An application's access to something about a person on an instance. */
interface Access {
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
  readonly scopes: readonly string[];
  readonly since: Date;
  /** True when no token is valid now, so that a consent alone is left (R-X399). */
  readonly ended: boolean;
}

/**
 * One access for each application and instance, by consent, by tokens, or by both: the union of their scopes, from the
 * earlier instant, ended where each part is. The latest first.
 */
export function mergedAccesses(parts: readonly Access[]): readonly Access[] {
  const merged = new Map<string, Access>();
  for (const part of parts) {
    const key = `${part.applicationId} ${part.instanceId}`;
    const before = merged.get(key) ?? part;
    const scopes = [...new Set([...before.scopes, ...part.scopes])];
    const since = part.since < before.since ? part.since : before.since;
    merged.set(key, { ...before, scopes, since, ended: before.ended && part.ended });
  }
  return [...merged.values()].sort((one, other) => other.since.getTime() - one.since.getTime());
}
