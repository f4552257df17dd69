import type { Transaction } from "#runtime/database/database.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import { type Lane, laneShares } from "./lane-shares.ts";
import type { QueueRepository } from "./queue-repository.ts";

/** Lanes that one claim considers; when more have something ready, they are considered in turn. */
const LANES_MAX = 100;

export interface LanesDeps {
  readonly queue: QueueRepository;
  readonly leaseMs: number;
  /** How many attempts may be under way to one origin. */
  readonly perOrigin: number;
}

/** Takes ready deliveries out of their lanes. */
export interface Lanes {
  /** At most `limit`, leased from `at` on under the claim's name; fewer when less is ready or the lanes that have some have no place free. */
  take(
    tx: Transaction<WebhooksTables>,
    at: Date,
    wanted: { readonly limit: number; readonly name: string },
  ): Promise<readonly Delivery[]>;
}

/**
 * Each endpoint's origin has a lane of its own and at most `perOrigin` places; the lane with the fewest under way comes first. So slow
 * endpoints with long queues delay no deliveries of others.
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
      const taken: Delivery[] = [];
      let lanes = await consider(tx);
      while (lanes.length > 0 && taken.length < limit) {
        const left: Lane[] = [];
        const shares = laneShares(lanes, limit - taken.length, perOrigin);
        for (const { origin, underWay } of lanes) {
          const share = shares.get(origin) ?? 0;
          const claimed = share === 0 ? [] : await queue.claim(tx, origin, { leaseUntil, limit: share, name });
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
