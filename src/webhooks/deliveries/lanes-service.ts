import type { Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Delivery } from "./delivery.ts";
import type { QueueRepository } from "./queue-repository.ts";

export interface LanesDeps {
  readonly queue: QueueRepository;
  readonly leaseMs: number;
  /** How many attempts may be under way to one origin. */
  readonly perOrigin: number;
}

/** Takes ready deliveries of all lanes in turn. */
export interface Lanes {
  /** At most `limit`, leased from `at` on; fewer when less is ready or the lanes that have some have no place free. */
  take(tx: Transaction<WebhooksTables>, at: Date, limit: number): Promise<readonly Delivery[]>;
}

/**
 * Each endpoint's origin has a lane of its own and at most `perOrigin` places, and lanes take turns: a slow endpoint with a long queue
 * delays its own deliveries and nobody else's.
 */
export function createLanes({ queue, leaseMs, perOrigin }: LanesDeps): Lanes {
  // The next turn begins behind the lane that was served last.
  let servedLast = "";
  return {
    async take(tx, at, limit) {
      const underWay = await queue.countUnderWay(tx);
      const full = [...underWay].filter(([, count]) => count >= perOrigin).map(([origin]) => origin);
      const behind = await queue.listLanes(tx, { after: servedLast, full, limit });
      const lanes =
        behind.length === 0 && servedLast !== "" ? await queue.listLanes(tx, { after: "", full, limit }) : behind;
      servedLast = lanes.length < limit ? "" : (lanes.at(-1) ?? "");

      const leaseUntil = new Date(at.getTime() + leaseMs);
      const taken: Delivery[] = [];
      for (const [index, lane] of lanes.entries()) {
        const share = Math.ceil((limit - taken.length) / (lanes.length - index));
        const free = perOrigin - (underWay.get(lane) ?? 0);
        taken.push(...(await queue.claim(tx, lane, { leaseUntil, limit: Math.min(share, free) })));
      }
      return taken;
    },
  };
}
