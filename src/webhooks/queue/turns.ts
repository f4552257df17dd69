import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import type { OwnPlaces, Places } from "./places.ts";
import type { WorkerPlaces } from "./worker-places.ts";

/** So many integrations, and so many subscriptions, are remembered; the longest ago is forgotten and comes first again. */
const REMEMBERED_MAX = 10_000;

/** What is ready of one subscription in one lane. */
export interface Line {
  readonly lane: string;
  readonly origin: string;
  readonly subscriptionId: string;
  readonly integrationId: string;
  /** True when the subscription's last attempts took long. */
  readonly slow: boolean;
  /** True unless its last attempt is known to have ended promptly. */
  readonly unproven: boolean;
}

/** How many places there are to give. */
export interface Wanted {
  readonly limit: number;
  /** Of these, to lines that are unproven. */
  readonly unprovenLimit: number;
}

/** Who had a turn when. Kept between claims, in bounded memory; a process that starts begins again. */
export interface Turns {
  /**
   * Gives places to lines, one at a time: to the integration whose last turn is longest ago, there to the subscription
   * with the fewest under way, of several to the one whose last turn is longest ago. Lines that get none are left out.
   * Without `workerPlaces` an integration may have all of the worker's.
   */
  share(
    lines: readonly Line[],
    places: Places,
    wanted: Wanted & { readonly workerPlaces?: WorkerPlaces | undefined },
  ): ReadonlyMap<Line, number>;
}

interface Candidate {
  readonly line: Line;
  readonly places: OwnPlaces;
  /** Of its integration, in the worker. */
  readonly workerPlaces: ReturnType<WorkerPlaces["of"]> | undefined;
  readonly integration: { turn: number };
  turn: number;
  isOwed: boolean;
  /** True when nothing of it was under way and it could have had a place. */
  readonly wasIdle: boolean;
}

export function createTurns(): Turns {
  const integrations = recentlyUsed<string, number>(REMEMBERED_MAX);
  const subscriptions = recentlyUsed<string, number>(REMEMBERED_MAX);
  /** By integration: a subscription that comes first next time. */
  const owed = recentlyUsed<string, string>(REMEMBERED_MAX);
  let turn = 0;

  function toCandidates(
    lines: readonly Line[],
    places: Places,
    workerPlaces: WorkerPlaces | undefined,
  ): readonly Candidate[] {
    const turns = new Map<string, { turn: number }>();
    return lines.map((line) => {
      const integration = turns.get(line.integrationId) ?? { turn: integrations.get(line.integrationId) ?? 0 };
      turns.set(line.integrationId, integration);
      const own = places.of(line);
      return {
        line,
        integration,
        turn: subscriptions.get(line.subscriptionId) ?? 0,
        places: own,
        workerPlaces: workerPlaces?.of(line),
        isOwed: owed.get(line.integrationId) === line.subscriptionId,
        wasIdle: own.isFree && own.underWay === 0,
      };
    });
  }

  /** A line whose origin others filled before its integration's turn, which another of its lines then took. */
  function oweThePassed(candidates: readonly Candidate[], shares: ReadonlyMap<Line, number>): void {
    const served = new Set([...shares.keys()].map(({ integrationId }) => integrationId));
    const passed = candidates.filter(
      ({ line, wasIdle, places }) => wasIdle && !shares.has(line) && !places.isFree && served.has(line.integrationId),
    );
    for (const { line } of passed.toSorted((one, other) => other.turn - one.turn))
      owed.set(line.integrationId, line.subscriptionId);
  }

  return {
    share(lines, places, { limit, unprovenLimit, workerPlaces }) {
      const candidates = toCandidates(lines, places, workerPlaces);
      const shares = new Map<Line, number>();
      let unprovenLeft = unprovenLimit;
      for (let left = limit; left > 0; left--) {
        const first = firstOf(candidates, unprovenLeft > 0);
        if (first === undefined) break;
        turn++;
        first.turn = turn;
        if (first.isOwed) owed.delete(first.line.integrationId);
        first.isOwed = false;
        first.integration.turn = turn;
        first.places.take();
        first.workerPlaces?.take();
        if (first.line.unproven) unprovenLeft--;
        integrations.set(first.line.integrationId, turn);
        subscriptions.set(first.line.subscriptionId, turn);
        shares.set(first.line, (shares.get(first.line) ?? 0) + 1);
      }
      oweThePassed(candidates, shares);
      return shares;
    },
  };
}

function firstOf(candidates: readonly Candidate[], unprovenToo: boolean): Candidate | undefined {
  let first: Candidate | undefined;
  for (const one of candidates) {
    if ((one.line.unproven && !unprovenToo) || !one.places.isFree || one.workerPlaces?.isFree === false) continue;
    if (first === undefined || isBefore(one, first)) first = one;
  }
  return first;
}

function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.isOwed !== other.isOwed) return one.isOwed;
  if (one.integration.turn !== other.integration.turn) return one.integration.turn < other.integration.turn;
  if (one.places.underWay !== other.places.underWay) return one.places.underWay < other.places.underWay;
  return one.turn < other.turn;
}
