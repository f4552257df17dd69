import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Log } from "#runtime/process/log.ts";
import type { ClaimedDelivery, Delivery, EndedAttempt, Ending } from "../deliveries/delivery.ts";
import { blockedBy, DELETED } from "../subscriptions/may-send.ts";
import { originOf } from "../subscriptions/subscription.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import type { Lanes, Taker } from "./lanes-service.ts";
import type { OpenedSecrets } from "./opened-secrets.ts";
import { type OutcomesDeps, recordEnded } from "./outcomes-service.ts";
import type { QueueLook } from "./queue-repository.ts";
import { type Receiver, receiverOf, toClaimedAttempt, type Unsendable } from "./signing.ts";

/** What one claim sees to before it takes; more waits for the next. */
const EXPIRED_MAX = 50;
const MADE_READY_MAX = 500;

/** For a claim in the transaction that made what it takes. */
export const NOTHING_OVERDUE: QueueLook = { ready: true, waitingUntil: undefined, leasedUntil: undefined };

/** What every claim needs, whichever retry engine makes it. */
export interface SignDeps extends OutcomesDeps {
  readonly secrets: OpenedSecrets;
  readonly log: Log;
  readonly metrics: DeliveryMetrics;
  /** `Gatehouse/<version>` (R-E13). */
  readonly userAgent: string;
}

export interface ClaimDeps extends SignDeps {
  readonly lanes: Lanes;
}

/** What one claim did. */
export interface Claim {
  readonly attempts: ClaimedAttempt[];
  /** The deliveries of the attempts, in the same order. */
  readonly deliveries: readonly Delivery[];
  /** Attempts whose lease had passed. */
  readonly lost: readonly Ending[];
  /** False when nothing was due, or no lane in which something is ready has a place free. */
  readonly moved: boolean;
}

/**
 * Takes at most `limit` due deliveries, with which their attempts are recorded, and signs them, inside the given change:
 * no request leaves of which the store does not know. Leases that have passed are seen to first; their attempts are spent (R-E8).
 */
export async function claim(
  deps: ClaimDeps,
  change: Change<WebhooksTables>,
  { look, actor, ...wanted }: Taker & { readonly look: QueueLook; readonly actor: string },
): Promise<Claim> {
  const { queue } = deps;
  const { db, at } = change;
  const lost = isPast(look.leasedUntil, at) ? await recordLost(deps, change, actor) : [];
  if (isPast(look.waitingUntil, at)) await queue.makeReady(db, at, MADE_READY_MAX);
  const first = await takeSendable(deps, change, wanted);
  const moved = first.haveMoved ? await takeMoved(deps, change, restOf(deps, wanted, first.sendable)) : [];
  const sendable = [...first.sendable, ...moved];
  return {
    attempts: sendable.map((one) => ({
      ...toClaimedAttempt({ ...one, at, userAgent: deps.userAgent }),
      unproven: isUnproven(deps, one),
    })),
    deliveries: sendable.map(({ delivery }) => delivery),
    lost,
    moved: lost.length > 0 || first.haveTaken,
  };
}

/** A delivery that was taken, and where it goes. */
interface Sendable {
  readonly delivery: ClaimedDelivery;
  readonly receiver: Receiver;
}

/** What was taken and can be sent now. The rest of it is settled, waits, or is in the lane of another host. */
interface TakenSendable {
  readonly sendable: readonly Sendable[];
  /** True when something was taken, whatever became of it. */
  readonly haveTaken: boolean;
  /** True when deliveries were put into the lane of another host. */
  readonly haveMoved: boolean;
}

async function takeSendable(deps: ClaimDeps, change: Change<WebhooksTables>, wanted: Taker): Promise<TakenSendable> {
  const { db, at } = change;
  const taken = await deps.lanes.take(db, at, wanted);
  if (taken.length === 0) return { sendable: [], haveTaken: false, haveMoved: false };
  const { sendable: open, unsendable } = await sortByReceiver(deps, change, taken);
  const { sendable = [], elsewhere = [] } = Object.groupBy(open, (one) =>
    isElsewhere(one) ? "elsewhere" : "sendable",
  );
  const moved = elsewhere.map(({ delivery, receiver }) => ({
    delivery,
    instead: { state: "pending" as const, dueAt: at, endpointOrigin: originOf(receiver) },
  }));
  await deps.queue.endClaims(
    db,
    [...unsendable, ...moved].map(({ delivery: { sequence, fence }, instead }) => ({
      sequence,
      fence,
      ...instead,
      withdrawn: true,
    })),
    at,
  );
  return { sendable, haveTaken: true, haveMoved: moved.length > 0 };
}

/** What had moved is due in the lane of its new host by now: it does not wait for the next claim. */
async function takeMoved(deps: ClaimDeps, change: Change<WebhooksTables>, rest: Taker): Promise<readonly Sendable[]> {
  if (rest.limit <= 0) return [];
  await deps.queue.makeReady(change.db, change.at, MADE_READY_MAX);
  return (await takeSendable(deps, change, rest)).sendable;
}

/** What is still wanted beside what was taken. */
function restOf(deps: Pick<SignDeps, "paces">, wanted: Taker, sendable: readonly Sendable[]): Taker {
  const { limit, unprovenLimit, freePlaces } = wanted;
  const unproven = sendable.filter((one) => isUnproven(deps, one)).length;
  return {
    ...wanted,
    limit: limit - sendable.length,
    unprovenLimit: unprovenLimit - unproven,
    freePlaces: freePlaces && { all: freePlaces.all - sendable.length, unproven: freePlaces.unproven - unproven },
  };
}

/**
 * True when the endpoint has moved to another host since the delivery was put into its lane: it goes into the lane of that
 * one, where places are counted for it (R-X305).
 */
const isElsewhere = ({ delivery, receiver }: Sendable): boolean => delivery.endpointOrigin !== originOf(receiver);

/** True unless the subscription's last attempt is known to have ended promptly, at the origin where its endpoint is now. */
export const isUnproven = (
  { paces }: Pick<SignDeps, "paces">,
  { delivery: { subscriptionId }, receiver }: { readonly delivery: Delivery; readonly receiver: Receiver },
): boolean => !paces.isProven({ subscriptionId, origin: originOf(receiver), slow: receiver.slow });

/** True when a look found something to do at the instant. What it missed, the next one finds. */
export const isPast = (found: Date | undefined, at: Date): boolean => found !== undefined && found <= at;

async function recordLost(deps: ClaimDeps, change: Change<WebhooksTables>, actor: string): Promise<readonly Ending[]> {
  const expired = await deps.queue.listExpired(change.db, change.at, EXPIRED_MAX);
  const ended = expired.map((delivery): EndedAttempt => ({ delivery, outcome: "lost" }));
  return recordEnded(deps, change, ended, { actor, engine: false });
}

/** Parts the deliveries that may be sent now from those that may not. The secrets of each subscription are opened once. */
export async function sortByReceiver<D extends Delivery>(
  deps: SignDeps,
  { db, at }: Change<WebhooksTables>,
  deliveries: readonly D[],
): Promise<{
  readonly sendable: readonly { readonly delivery: D; readonly receiver: Receiver }[];
  readonly unsendable: readonly { readonly delivery: D; readonly instead: Unsendable }[];
}> {
  const ids = new Set(deliveries.map(({ subscriptionId }) => subscriptionId));
  const signers = await deps.subscriptions.listSigners(db, [...ids], at);
  const found = new Map(signers.map((signer) => [signer.subscriptionId, signer]));
  const opened = new Map<string, ReturnType<typeof receiverOf>>();
  const open = (signer: Signer) => {
    const answer = opened.get(signer.subscriptionId) ?? receiverOf(signer, deps, at);
    opened.set(signer.subscriptionId, answer);
    return answer;
  };
  const sendable: { delivery: D; receiver: Receiver }[] = [];
  const unsendable: { delivery: D; instead: Unsendable }[] = [];
  for (const delivery of deliveries) {
    const signer = found.get(delivery.subscriptionId);
    const blocked = signer === undefined ? DELETED : blockedBy(signer, delivery.eventType);
    const instead = isEmptied(delivery) ? BODY_REMOVED : blocked;
    const answer = signer === undefined || instead !== undefined ? { unsendable: instead ?? DELETED } : open(signer);
    if ("receiver" in answer && isForAnother(delivery, answer.receiver))
      unsendable.push({ delivery, instead: { state: "pending", dueAt: at } });
    else if ("receiver" in answer) sendable.push({ delivery, receiver: answer.receiver });
    else unsendable.push({ delivery, instead: answer.unsendable });
  }
  return { sendable, unsendable };
}

/** True when the endpoint was changed between the claim and this look; the next claim has the new one (R-X272). */
export const isForAnother = ({ underWay }: Delivery, { endpointUrl }: Receiver): boolean =>
  underWay !== undefined && underWay.endpointUrl !== endpointUrl;

const BODY_REMOVED = { state: "cancelled", reason: "body_removed" } as const;

/** A body that became too old while its delivery was put into the queue again (R-X280). */
const isEmptied = (delivery: Delivery & { readonly body?: Buffer | undefined }): boolean =>
  "body" in delivery && delivery.body === undefined;
