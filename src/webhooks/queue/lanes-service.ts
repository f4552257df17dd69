import type { Transaction } from "#runtime/database/database.ts";
import type { ClaimedDelivery } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import type { QueueRepository } from "./queue-repository.ts";

/** Lanes that one claim considers; when more have something ready, they are considered in turn. */
const LANES_MAX = 100;

interface LanesDeps {
  readonly queue: QueueRepository;
  readonly leaseMs: number;
  /** How many attempts may be under way to one origin. */
  readonly perOrigin: number;
}

/** Takes ready deliveries out of their lanes. */
export interface Lanes {
  /**
   * At most `limit`, leased from `at` on under the claim's name; fewer when less is ready or the lanes that have some
   * have no place free.
   */
  take(
    tx: Transaction<WebhooksTables>,
    at: Date,
    wanted: { readonly limit: number; readonly name: string },
  ): Promise<readonly ClaimedDelivery[]>;
}

/**
 * Each endpoint's origin has a lane of its own and at most `perOrigin` places; the lane with the fewest under way comes
 * first. So slow endpoints with long queues delay no deliveries of others.
 */
export function createLanes({ queue, leaseMs, perOrigin }: LanesDeps): Lanes {
  // The next turn begins behind the lane that was considered last.
  let consideredLast = "";

  async function consider(tx: Transaction<WebhooksTables>): Promise<readonly Lane[]> {
    const underWay = await queue.countUnderWay(tx);
    const full = [...underWay].filter(([, count]) => count >= perOrigin).map(([origin]) => origin);
    const behind = (after: string) => queue.listLanes(tx, { after, full, limit: LANES_MAX });
    let origins = await behind(consideredLast);
    if (origins.length === 0 && consideredLast !== "") origins = await behind("");
    consideredLast = origins.length < LANES_MAX ? "" : (origins.at(-1) ?? "");
    return origins.map((origin) => ({ origin, underWay: underWay.get(origin) ?? 0 }));
  }

  return {
    async take(tx, at, { limit, name }) {
      const leaseUntil = new Date(at.getTime() + leaseMs);
      const taken: ClaimedDelivery[] = [];
      let lanes = await consider(tx);
      while (lanes.length > 0 && taken.length < limit) {
        const left: Lane[] = [];
        const shares = laneShares(lanes, limit - taken.length, perOrigin);
        for (const { origin, underWay } of lanes) {
          const share = shares.get(origin) ?? 0;
          const claimed = share === 0 ? [] : await queue.claim(tx, origin, { at, leaseUntil, limit: share, name });
          taken.push(...claimed);
          // A lane that gave less than its share is empty; what it left is shared again.
          if (claimed.length === share) left.push({ origin, underWay: underWay + share });
        }
        if (shares.size === 0) break;
        lanes = left;
      }
      return taken;
    },
  };
}

/** A lane in which something is ready. */
export interface Lane {
  readonly origin: string;
  /** Attempts that are under way to it. */
  readonly underWay: number;
}

/**
 * Shares `places` among the lanes: each goes to the lane that has the fewest under way by then, and none gets more than
 * `most` under way. So endpoints that answer slowly keep no places that others could use. Lanes that get nothing are
 * left out.
 */
export function laneShares(lanes: readonly Lane[], places: number, most: number): ReadonlyMap<string, number> {
  const levels = lanes.map(({ underWay }) => underWay);
  const shares = new Map<string, number>();
  for (let left = places; left > 0; left--) {
    let lowest = 0;
    for (const [index, level] of levels.entries()) if (level < (levels[lowest] ?? 0)) lowest = index;
    const lane = lanes[lowest];
    const level = levels[lowest] ?? most;
    if (lane === undefined || level >= most) break;
    levels[lowest] = level + 1;
    shares.set(lane.origin, (shares.get(lane.origin) ?? 0) + 1);
  }
  return shares;
}
