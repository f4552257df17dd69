import type { ApplicationCredentials } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import type { BoundedLog } from "#runtime/process/bounded-log.ts";
import type { LastUses } from "#runtime/process/last-uses.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { digestOf, sameDigest } from "../digest.ts";
import { type Refused, refuse } from "../refusals/refused.ts";
import type { Application, ApplicationProof, AuthenticatedApplication } from "./application.ts";
import { toProof } from "./application-credentials-wire.ts";
import type { ApplicationRepository, PreviousSecretUse } from "./application-repository.ts";

/** Compared when the application is unknown, so that both refusals take the same time (S29). */
const NO_SECRET = digestOf("no application has this secret");

export interface AuthenticationDeps {
  readonly applications: ApplicationRepository;
  readonly clock: Clock;
  /** Of the applications that use their previous secret (R-X124). */
  readonly rarely: BoundedLog;
  readonly previousSecretUses: LastUses<ApplicationId, PreviousSecretUse>;
}

/**
 * Proves an application: confidential ones by their secret, public ones by having none (R-S2, S29).
 * @throws invalid_client, one answer for every kind of failure.
 */
export async function authenticateApplication(
  deps: AuthenticationDeps,
  credentials: ApplicationCredentials | null,
  { requestId }: Call,
): Promise<AuthenticatedApplication> {
  const proof = toProof(credentials);
  const application = await deps.applications.find(proof.applicationId);
  const now = deps.clock.now();
  const secret = secretOf(application, proof, now);
  const refused = whyRefused(application, proof, secret);
  if (refused !== undefined) throw refused;
  const proven = application as AuthenticatedApplication;
  if (secret === "previous") notePrevious(deps, proven, now, requestId);
  return proven;
}

function notePrevious(
  { rarely, previousSecretUses }: Pick<AuthenticationDeps, "rarely" | "previousSecretUses">,
  { id, previousSecret }: AuthenticatedApplication,
  at: Date,
  requestId: string,
) {
  if (previousSecret !== undefined) previousSecretUses.note(id, { expiresAt: previousSecret.expiresAt, at });
  rarely.info(`previous secret of ${id}`, "An application used its previous secret.", { caller: id, requestId });
}

/** Which of the application's secrets the given one is; always two comparisons (S29). */
function secretOf(application: Application | undefined, { secret }: ApplicationProof, now: Date) {
  const given = digestOf(secret);
  const previous = application?.previousSecret;
  const isCurrent = sameDigest(given, application?.secretDigest ?? NO_SECRET);
  const isPrevious = sameDigest(given, previous?.digest ?? NO_SECRET);
  if (isCurrent) return "current";
  return isPrevious && previous !== undefined && now < previous.expiresAt ? "previous" : undefined;
}

function whyRefused(
  application: Application | undefined,
  { authentication }: ApplicationProof,
  secret: ReturnType<typeof secretOf>,
): Refused | undefined {
  if (application === undefined) return refuse("application.unknown");
  if (application.secretDigest === undefined)
    return authentication === "none" ? undefined : refuse("application.secret_of_public");
  if (authentication === "none") return refuse("application.secret_missing");
  return secret === undefined ? refuse("application.secret_wrong") : undefined;
}
