import type { Transaction } from "#runtime/database/database.ts";
import type { ClaimedDelivery } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import { createLinesLook } from "./lines-look-service.ts";
import type { LinesRepository } from "./lines-repository.ts";
import type { Paces } from "./paces.ts";
import { createPlaces, fullOrigins, type UnderWay } from "./places.ts";
import type { QueueRepository } from "./queue-repository.ts";
import { createTurns, type Line, type Wanted } from "./turns.ts";
import { createWorkerPlaces, type FreePlaces } from "./worker-places.ts";

/** How often one claim looks at the next lines while no subscription of the lines before may have a place. */
const LOOKS_MAX = 10;

interface LanesDeps {
  readonly queue: Pick<QueueRepository, "claim">;
  readonly lines: LinesRepository;
  readonly paces: Pick<Paces, "isProven" | "placesFor">;
  readonly leaseMs: number;
  /** How many attempts may be under way to one origin. */
  readonly perOrigin: number;
}

/** Takes ready deliveries out of their lanes. */
export interface Lanes {
  /**
   * Takes at most `limit` deliveries, leased from `at` on under the claim's name: fewer when fewer are ready, or when
   * no subscription with a ready delivery may have a place; none when another claim takes and `waits` is false.
   */
  take(tx: Transaction<WebhooksTables>, at: Date, wanted: Taker): Promise<readonly ClaimedDelivery[]>;
}

/** Who takes, and how much. */
export interface Taker extends Wanted {
  /** The name of the claim. */
  readonly name: string;
  /** Absent where the worker does not say: then an integration may have all that are wanted. */
  readonly freePlaces?: FreePlaces | undefined;
  /** False in a transaction that has more to do, and must not wait for other claims. */
  readonly waits?: boolean;
}

/**
 * Each endpoint's origin has a lane and at most `perOrigin` places. Integrations and their subscriptions take turns
 * (turns.ts) and leave places for others, at an origin (places.ts) and in a worker (worker-places.ts), so that slow endpoints
 * and long queues delay no deliveries of others, at the same origin either (R-X305, R-X387).
 */
export function createLanes({ queue, lines: lineRows, paces, leaseMs, perOrigin }: LanesDeps): Lanes {
  const turns = createTurns();
  const linesLook = createLinesLook({ lines: lineRows, paces });

  return {
    async take(tx, at, { limit, unprovenLimit, name, freePlaces, waits = true }) {
      const claim = { at, leaseUntil: new Date(at.getTime() + leaseMs), name };
      const before = await lineRows.beginTaking(tx, { waits });
      if (before === undefined) return [];
      const wanted = { full: fullOrigins(before, perOrigin), unprovenToo: unprovenLimit > 0 };
      for (let looks = 0; looks < LOOKS_MAX; looks++) {
        const { lines, underWay = before, isMore } = await linesLook.next(tx, wanted);
        const taken = await takeOf(tx, { lines, underWay, limit, unprovenLimit, freePlaces, claim });
        if (taken.length > 0 || !isMore) return taken;
      }
      return [];
    },
  };

  async function takeOf(
    tx: Transaction<WebhooksTables>,
    { lines, underWay, limit, unprovenLimit, freePlaces, claim }: Taking,
  ): Promise<readonly ClaimedDelivery[]> {
    if (limit === 0) return [];
    const workerPlaces = freePlaces && createWorkerPlaces(underWay, { free: freePlaces, isProven: paces.isProven });
    const shares = turns.share(
      lines,
      createPlaces(underWay, perOrigin, (id) => paces.placesFor(id, claim.at)),
      { limit, unprovenLimit, workerPlaces },
    );
    if (shares.size === 0) return [];
    const claimed = await queue.claim(
      tx,
      [...shares].map(([line, share]) => ({ line, share })),
      claim,
    );
    const gave = whatLinesGave(shares, claimed);
    const unproven = sumOf([...gave].map(([line, count]) => (line.unproven ? count : 0)));
    // A line that gave less than its share is empty; what it left is shared again.
    const rest = await takeOf(tx, {
      lines: lines.filter((line) => (gave.get(line) ?? 0) >= (shares.get(line) ?? 0)),
      underWay: [...underWay, ...[...gave].map(([line, count]) => ({ ...line, count }))],
      limit: limit - claimed.length,
      unprovenLimit: unprovenLimit - unproven,
      freePlaces: freePlaces && { all: freePlaces.all - claimed.length, unproven: freePlaces.unproven - unproven },
      claim,
    });
    return inOrderOf(lines, [...claimed, ...rest]);
  }
}

/** Orders deliveries by their lines, and within a line by their sequences: the database returns them in any order. */
function inOrderOf(lines: readonly Line[], taken: readonly ClaimedDelivery[]): readonly ClaimedDelivery[] {
  const positions = new Map(lines.map(({ subscriptionId }, index) => [subscriptionId, index]));
  const positionOf = ({ subscriptionId }: ClaimedDelivery) => positions.get(subscriptionId) ?? 0;
  return taken.toSorted((one, other) => positionOf(one) - positionOf(other) || one.sequence - other.sequence);
}

interface Taking extends Wanted, Pick<Taker, "freePlaces"> {
  readonly lines: readonly Line[];
  readonly underWay: readonly UnderWay[];
  readonly claim: Parameters<QueueRepository["claim"]>[2];
}

/** How many of the claimed deliveries each line with a share gave. */
function whatLinesGave(
  shares: ReadonlyMap<Line, number>,
  claimed: readonly ClaimedDelivery[],
): ReadonlyMap<Line, number> {
  const left = new Map<string, number>();
  for (const { subscriptionId } of claimed) left.set(subscriptionId, (left.get(subscriptionId) ?? 0) + 1);
  return new Map(
    [...shares].map(([line, share]) => {
      const count = Math.min(share, left.get(line.subscriptionId) ?? 0);
      left.set(line.subscriptionId, (left.get(line.subscriptionId) ?? 0) - count);
      return [line, count];
    }),
  );
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
