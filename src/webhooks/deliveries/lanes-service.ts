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

/** Takes due deliveries of all origins in turn. */
export interface Lanes {
  /** At most `limit`, leased; fewer when less is due or the origins that wait have no place free. */
  take(tx: Transaction<WebhooksTables>, at: Date, limit: number): Promise<readonly Delivery[]>;
}

/**
 * Each endpoint's origin has a lane of its own and at most `perOrigin` places, and origins take turns: a slow endpoint with a long queue
 * delays its own deliveries and nobody else's.
 */
export function createLanes({ queue, leaseMs, perOrigin }: LanesDeps): Lanes {
  // The next turn begins behind the origin that was served last.
  let servedLast = "";
  return {
    async take(tx, at, limit) {
      const underWay = await queue.countUnderWay(tx);
      const full = [...underWay].filter(([, count]) => count >= perOrigin).map(([origin]) => origin);
      const dueBehind = (after: string) => queue.listDueOrigins(tx, { after, full, now: at, limit });
      const behind = await dueBehind(servedLast);
      const origins = behind.length === 0 && servedLast !== "" ? await dueBehind("") : behind;
      servedLast = origins.length < limit ? "" : (origins.at(-1) ?? "");

      const leaseUntil = new Date(at.getTime() + leaseMs);
      const taken: Delivery[] = [];
      for (const [index, origin] of origins.entries()) {
        const share = Math.ceil((limit - taken.length) / (origins.length - index));
        const free = perOrigin - (underWay.get(origin) ?? 0);
        taken.push(...(await queue.claim(tx, origin, { now: at, leaseUntil, limit: Math.min(share, free) })));
      }
      return taken;
    },
  };
}
