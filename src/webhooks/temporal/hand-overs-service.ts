import type {
  ClaimHandOversRequest,
  ClaimHandOversResponse,
  ConfirmHandOversRequest,
  ConfirmHandOversResponse,
  DeliveryRound,
  HandOver,
  ListHandedOverRequest,
  ListHandedOverResponse,
  ReturnHandOversRequest,
  ReturnHandOversResponse,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { invalidArgument, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { type Loop, repeating } from "#runtime/process/loop.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { parseCursor, toCursor } from "../deliveries/cursor.ts";
import { DELIVERIES_CHANNEL, HAND_OVERS_CHANNEL } from "../deliveries/delivery.ts";
import { WAIT_MS_MAX } from "../deliveries/waits.ts";
import type { WebhooksTables } from "../tables.ts";
import type { HandOverRepository, OfferedDelivery } from "./hand-over-repository.ts";
import type { HandOverWatch } from "./hand-over-watch.ts";
import { offered } from "./offers-service.ts";
import { progressOf } from "./round-progress.ts";
import { assertWithin } from "./within.ts";

const CLAIM_MAX = 50;
const PAGE_MAX = 1_000;
/** How long a worker has to hand over what it was offered. */
const OFFER_AGAIN_MS = 60_000;

interface HandOversDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly handOvers: HandOverRepository;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly watch: Pick<HandOverWatch, "asked">;
}

/**
 * Offers deliveries to the worker that hands them to the retry engine, waiting for the first if there is none. Offering
 * is no promise: what is not confirmed is offered again.
 * @throws INVALID_ARGUMENT when limit or wait_ms is out of bounds.
 */
export const claimHandOvers =
  ({ changes, handOvers, clock, wake, watch }: HandOversDeps) =>
  async ({ limit, waitMs }: ClaimHandOversRequest, { waiting }: Call): Promise<ClaimHandOversResponse> => {
    assertWithin({ limit: [limit, 1, CLAIM_MAX], wait_ms: [waitMs, 0, WAIT_MS_MAX] });
    watch.asked();
    const due = await offered({ wake, channel: HAND_OVERS_CHANNEL, waitMs, waiting }, async () => {
      const next = await handOvers.findNextOffer();
      if (next === undefined || next > clock.now()) return [];
      return await changes.run(async ({ db, at }) => {
        const until = new Date(at.getTime() + OFFER_AGAIN_MS);
        const deliveries = await handOvers.offer(db, at, { limit, until });
        return deliveries.map((delivery) => toHandOver(delivery, at));
      });
    });
    return { handOvers: due };
  };

/** @throws INVALID_ARGUMENT when there are too many. */
export const confirmHandOvers =
  ({ changes, handOvers }: Pick<HandOversDeps, "changes" | "handOvers">) =>
  async ({ rounds }: ConfirmHandOversRequest): Promise<ConfirmHandOversResponse> => {
    assertWithin({ rounds: [rounds.length, 0, CLAIM_MAX] });
    await changes.run(({ db }) => handOvers.confirm(db, rounds));
    return {};
  };

/** @throws INVALID_ARGUMENT when limit is out of bounds or the cursor is none of ours. */
export const listHandedOver =
  ({ handOvers }: Pick<HandOversDeps, "handOvers">) =>
  async ({ limit, cursor }: ListHandedOverRequest): Promise<ListHandedOverResponse> => {
    assertWithin({ limit: [limit, 1, PAGE_MAX] });
    const after = typeof cursor === "string" ? parseCursor(cursor) : 0;
    if (after === undefined) throw invalidArgument([WRONG_CURSOR]);
    const found = await handOvers.listHandedOver(after, limit + 1);
    const { entries, next } = cutPage(found, { limit }, ({ sequence }) => toCursor(sequence));
    return { rounds: entries.map(({ deliveryId, round }) => ({ deliveryId, round })), nextCursor: next };
  };

/** @throws INVALID_ARGUMENT when there are too many. */
export const returnHandOvers =
  ({ changes, handOvers }: Pick<HandOversDeps, "changes" | "handOvers">) =>
  async ({ rounds }: ReturnHandOversRequest): Promise<ReturnHandOversResponse> => {
    assertWithin({ rounds: [rounds.length, 0, PAGE_MAX] });
    const returned = await changes.run(({ db, at, wakeAfter }) => {
      wakeAfter(HAND_OVERS_CHANNEL);
      return handOvers.giveBack(db, rounds, at);
    });
    return { returned };
  };

const toHandOver = (delivery: OfferedDelivery, at: Date): HandOver => ({
  round: toRound(delivery),
  eventType: delivery.eventType,
  subscriptionId: delivery.subscriptionId,
  subscriptionLabel: delivery.subscriptionLabel,
  tenantId: delivery.tenantId,
  standing: progressOf(delivery, at),
});

const toRound = ({ id, round }: OfferedDelivery): DeliveryRound => ({ deliveryId: id, round });

const BATCH = 500;

/**
 * Puts into the store's own queue what waits for a retry engine outside of it: runs where no such engine is configured
 * (any more), so that switching it off loses nothing.
 */
export const takeBackLoop = (changes: Changes<WebhooksTables>, handOvers: HandOverRepository): Loop => ({
  name: "webhook-take-back",
  run: repeating(MINUTE_MS, async (pass) => {
    const taken = await pass(() =>
      changes.run(async ({ db, wakeAfter }) => {
        const count = await handOvers.takeBack(db, BATCH);
        if (count > 0) wakeAfter(DELIVERIES_CHANNEL);
        return count;
      }),
    );
    return taken >= BATCH;
  }),
});
