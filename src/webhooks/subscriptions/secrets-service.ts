import { timingSafeEqual } from "node:crypto";
import type {
  RevokeSecretRequest,
  RevokeSecretResponse,
  RotateSecretRequest,
  RotateSecretResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { type FieldViolation, failedPrecondition, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { openedIfPossible, type Sealer } from "#runtime/sealing/sealing.ts";
import { type NewSecret, newSecret } from "../secrets/new-secret.ts";
import { type SealedSecret, type SecretKind, signingSecretRow } from "../secrets/signing-secret.ts";
import { storeSecret } from "../secrets/stored-secret-service.ts";
import { changedSubscription, type SubscriptionChangeDeps } from "./changed-subscription-service.ts";
import type { Scope } from "./scope.ts";
import { shownSubscription } from "./shown-subscription-service.ts";
import { secretProblem } from "./subscription-checks.ts";
import { toSecretKind } from "./subscription-message.ts";

const OVERLAP_SECONDS_DEFAULT = 24 * 60 * 60;
const OVERLAP_SECONDS_MAX = 7 * OVERLAP_SECONDS_DEFAULT;
/** Of one kind, the new one included. */
const LIVE_MAX = 3;

interface SecretsDeps extends SubscriptionChangeDeps {
  readonly sealer: Sealer;
  readonly random: Random;
}

/**
 * Gives a subscription a new current secret, or key pair. The replaced one signs too for the overlap, so that the
 * receiver can switch without a refused delivery; with an overlap of 0 it signs nothing any more (R-X273). Those of the kind
 * that cannot be opened are removed (R-X21).
 * @throws INVALID_ARGUMENT; NOT_FOUND; FAILED_PRECONDITION (too_many_secrets).
 */
export const rotateSecret =
  (deps: SecretsDeps) =>
  async (scope: Scope, request: RotateSecretRequest, { requestId }: Call): Promise<RotateSecretResponse> => {
    const { kind, overlapSeconds } = readRotation(request);
    const { subscriptionId, ifMatch } = request;
    const secret = newSecret(kind, request.secret, deps.random);
    const { number, after } = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, { db, at, audit }) => {
        const live = await deps.secrets.listSealed(db, before.id, at);
        const opened = live.filter((one) => isOpened(deps, before.id, one));
        assertNotInUse(deps, before.id, opened, secret);
        const current = live.find((one) => one.kind === kind && one.isCurrent);
        const ofKind = opened.filter((one) => one.kind === kind);
        const left = overlapSeconds === 0 ? ofKind.filter((one) => one !== current) : ofKind;
        if (left.length >= LIVE_MAX) throw tooMany(kind);
        const until = new Date(at.getTime() + overlapSeconds * 1000);
        // Another process may sign at an instant that is a little earlier: with a time alone it would sign on.
        if (overlapSeconds === 0) await deps.secrets.removeCurrent(db, before.id, kind);
        else await deps.secrets.expireCurrent(db, before.id, kind, until);
        // What signs nothing has no use for an overlap, and would keep deliveries waiting to its end.
        for (const one of live)
          if (one.kind === kind && !opened.includes(one)) await deps.secrets.remove(db, before.id, one.number);
        const number = await storeSecret(deps, db, { subscriptionId: before.id, secret, at });
        const previousUntil = current !== undefined && opened.includes(current) ? until.toISOString() : null;
        const facts = { kind, number, previousUntil, own: request.secret !== null && request.secret !== undefined };
        await audit({ actor: scope.actor, action: "subscription.rotateSecret", object: before.id, facts });
        return { number, after: { ...before, secretsMade: number } };
      },
      async (before, { db, at }) => {
        const live = await deps.secrets.listSealed(db, before.id, at);
        const done = live.find((one) => one.kind === kind && one.isCurrent && isSame(deps, before.id, one, secret));
        return done && { number: done.number, after: before };
      },
    );
    return { subscription: await shownSubscription(deps, after), number, secret: secret.shown ?? null };
  };

/**
 * Ends a secret or key pair now: what is signed next is not signed with it. The current shared secret stays, since
 * every delivery is signed: another one replaces it, with an overlap of 0.
 * @throws NOT_FOUND; FAILED_PRECONDITION (current_secret).
 */
export const revokeSecret =
  (deps: SubscriptionChangeDeps) =>
  async (scope: Scope, request: RevokeSecretRequest, { requestId }: Call): Promise<RevokeSecretResponse> => {
    const { subscriptionId, number, ifMatch } = request;
    const after = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, { db, at, audit }) => {
        const live = (await deps.secrets.listLive(db, [before.id], at)).get(before.id) ?? [];
        const one = live.find((secret) => secret.number === number);
        if (one === undefined)
          throw notFound("secret_not_found", `No secret of the subscription that signs now has the number ${number}.`);
        if (one.kind === "symmetric" && one.expiresAt === undefined)
          throw failedPrecondition(
            "current_secret",
            "This is the current secret, and every delivery is signed with one. Rotate with an overlap of 0 seconds to replace it at once.",
          );
        await deps.secrets.remove(db, before.id, number);
        const facts = { kind: one.kind, number };
        await audit({ actor: scope.actor, action: "subscription.revokeSecret", object: before.id, facts });
        return before;
      },
    );
    return { subscription: await shownSubscription(deps, after) };
  };

function readRotation(request: RotateSecretRequest): { readonly kind: SecretKind; readonly overlapSeconds: number } {
  const { secret, overlapSeconds } = request;
  const kind = toSecretKind(request.kind);
  const overlap = overlapSeconds ?? OVERLAP_SECONDS_DEFAULT;
  const violations: FieldViolation[] = [];
  if (kind === undefined) violations.push({ field: "kind", reason: "must be symmetric or asymmetric" });
  if (!(overlap >= 0 && overlap <= OVERLAP_SECONDS_MAX))
    violations.push({ field: "overlap_seconds", reason: `must be 0 to ${OVERLAP_SECONDS_MAX} seconds (7 days)` });
  const isOwn = secret !== null && secret !== undefined;
  const problem = isOwn && kind === "asymmetric" ? "must not be there: key pairs are made here" : secretProblem(secret);
  if (problem !== undefined) violations.push({ field: "secret", reason: problem });
  if (kind === undefined || violations.length > 0) throw invalidArgument(violations);
  return { kind, overlapSeconds: overlap };
}

type Opening = Pick<SecretsDeps, "sealer">;

const openedBytes = ({ sealer }: Opening, subscriptionId: string, { number, sealed }: SealedSecret) =>
  openedIfPossible(sealer, sealed, signingSecretRow(subscriptionId, number));

/** False for one that signs nothing, and is what a rotation is to replace (R-X21). */
const isOpened = (deps: Opening, subscriptionId: string, secret: SealedSecret): boolean =>
  openedBytes(deps, subscriptionId, secret) !== undefined;

function isSame(deps: Opening, subscriptionId: string, one: SealedSecret, { bytes: wanted }: NewSecret): boolean {
  const bytes = openedBytes(deps, subscriptionId, one);
  return bytes?.length === wanted.length && timingSafeEqual(bytes, wanted);
}

/** A secret that signs already would be in the list twice, and revoking one would end nothing. */
function assertNotInUse(
  deps: Opening,
  subscriptionId: string,
  opened: readonly SealedSecret[],
  secret: NewSecret,
): void {
  if (secret.shown === undefined && opened.some((one) => isSame(deps, subscriptionId, one, secret)))
    throw invalidArgument([{ field: "secret", reason: "must not be one that signs already" }]);
}

const tooMany = (kind: SecretKind) =>
  failedPrecondition(
    "too_many_secrets",
    `${LIVE_MAX} ${kind === "symmetric" ? "secrets" : "key pairs"} of the subscription sign already. Revoke one of those that expire, or wait until it has expired.`,
  );
