import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Change } from "#runtime/changes/change.ts";
import { keyOf } from "../deliveries/attempt-key.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import type { Hold } from "../subscriptions/hold.ts";
import type { WebhooksTables } from "../tables.ts";
import { toClaimedAttempt } from "./claimed-attempt.ts";
import type { EndedClaim } from "./ended-claim.ts";
import type { Lanes } from "./lanes-service.ts";
import type { OpenedSecrets } from "./opened-secrets.ts";
import type { QueueLook } from "./queue-repository.ts";
import type { Sender } from "./sender.ts";
import { type SettleDeps, settle } from "./settle-service.ts";
import { type Holder, type Standing, standingOf } from "./standing-service.ts";

/** What one claim sees to before it takes; more waits for the next. */
const EXPIRED_MAX = 50;
const MADE_READY_MAX = 500;

export interface ClaimDeps extends SettleDeps {
  readonly lanes: Lanes;
  readonly secrets: OpenedSecrets;
  readonly log: Log;
  /** `Gatehouse/<version>` (R-E13). */
  readonly userAgent: string;
}

export interface Claim {
  readonly attempts: ClaimedAttempt[];
  /** Those behind the attempts. */
  readonly deliveries: readonly Delivery[];
  /** Attempts whose lease had passed. */
  readonly lost: readonly EndedClaim[];
  /** False when nothing was due, or no lane in which something is ready has a place free. */
  readonly moved: boolean;
}

/**
 * Takes at most `limit` due deliveries, records their attempts and signs them, inside the given change: no request leaves of which the
 * store does not know. Leases that have passed are seen to first; their attempts are spent (R-E8).
 */
export async function claim(
  deps: ClaimDeps,
  change: Change<WebhooksTables>,
  {
    limit,
    name,
    look,
    actor,
  }: { readonly limit: number; readonly name: string; readonly look: QueueLook; readonly actor: string },
): Promise<Claim> {
  const { queue, attempts, lanes } = deps;
  const { db, at } = change;
  const lost = isPast(look.leasedUntil, at) ? await settleLost(deps, change, actor) : [];
  if (isPast(look.waitingUntil, at)) await queue.makeReady(db, at, MADE_READY_MAX);
  const taken = await lanes.take(db, at, { limit, name });
  if (taken.length === 0) return { attempts: [], deliveries: [], lost, moved: lost.length > 0 };

  const { sent, held } = await sortOut(deps, change, taken);
  await queue.place(
    db,
    held.map(({ delivery, place }) => ({ ...idOf(delivery), ...place, withdrawn: true })),
  );
  await attempts.start(
    db,
    sent.map(({ delivery, sender }) => ({ ...keyOf(delivery), endpointUrl: sender.endpointUrl })),
    at,
  );
  const bodies = await queue.findBodies(
    db,
    sent.map(({ delivery }) => delivery.sequence),
  );
  return {
    attempts: sent.map(({ delivery, sender }) =>
      toClaimedAttempt({ delivery, sender, body: bodies.get(delivery.sequence), at, userAgent: deps.userAgent }),
    ),
    deliveries: sent.map(({ delivery }) => delivery),
    lost,
    moved: true,
  };
}

/** True when a look found something to do at the instant. What it missed, the next one finds. */
export const isPast = (found: Date | undefined, at: Date): boolean => found !== undefined && found <= at;

async function settleLost(
  deps: ClaimDeps,
  change: Change<WebhooksTables>,
  actor: string,
): Promise<readonly EndedClaim[]> {
  const expired = await deps.queue.listExpired(change.db, change.at, EXPIRED_MAX);
  const ended = expired.map((delivery): EndedClaim => ({ delivery, outcome: "lost" }));
  return settle(deps, change, ended, { actor, engine: false });
}

const DELETED: Hold = { state: "cancelled", reason: "subscription_deleted" };

const idOf = ({ sequence, fence }: Delivery) => ({ sequence, fence });

interface Sorted {
  readonly sent: { readonly delivery: Delivery; readonly sender: Sender }[];
  readonly held: { readonly delivery: Delivery; readonly place: Holder["place"] }[];
}

/** Asks once per subscription what becomes of its deliveries. */
async function sortOut(
  deps: ClaimDeps,
  { db, at }: Change<WebhooksTables>,
  taken: readonly Delivery[],
): Promise<Sorted> {
  const ids = new Set(taken.map(({ subscriptionId }) => subscriptionId));
  const signers = await deps.subscriptions.listSigners(db, [...ids], at);
  const standings = new Map<string, Standing>(
    signers.map((signer) => [signer.subscriptionId, standingOf(signer, deps, at)]),
  );
  const sorted: Sorted = { sent: [], held: [] };
  for (const delivery of taken) {
    const standing = standings.get(delivery.subscriptionId);
    if (standing?.kind === "sends") sorted.sent.push({ delivery, sender: standing });
    else sorted.held.push({ delivery, place: standing?.place ?? DELETED });
  }
  return sorted;
}
