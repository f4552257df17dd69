import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  AttemptOutcome,
  ClaimDueRequest,
  ClaimDueResponse,
  RecordOutcomesRequest,
  RecordOutcomesResponse,
  ReturnClaimsRequest,
  ReturnClaimsResponse,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { isKnownClass } from "../deliveries/outcome.ts";
import { LOOK_AGAIN_MS, WAIT_MS_MAX } from "../deliveries/waits.ts";
import type { WebhooksTables } from "../tables.ts";
import { type Claim, type ClaimDeps, claim, isPast, NOTHING_OVERDUE } from "./claim-service.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import { giveBack, type OutcomesDeps, recordReported, type TakeBackDeps, takeBackAtOnce } from "./outcomes-service.ts";
import type { QueueLook } from "./queue-repository.ts";
import type { Wanted } from "./turns.ts";
import { createWaitingClaims, type WaitingClaims } from "./waiting-claims-service.ts";
import type { FreePlaces } from "./worker-places.ts";

const LIMIT_MAX = 50;
const OUTCOMES_MAX = 500;
const CLAIM_NAME = /^[\w-]{0,64}$/;
const RETURNED_CLAIMS_MAX = 100;

interface RecordDeps extends OutcomesDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly clock: Clock;
  readonly metrics: DeliveryMetrics;
}

interface ClaimDueDeps extends ClaimDeps, RecordDeps {
  readonly wake: Wake;
  readonly waitingClaims: DueClaims;
  /** True once this process stops: then nothing is taken any more. */
  readonly isLeaving: () => boolean;
}

/** What the caller of ClaimDue wants. */
interface ClaimWanted extends Wanted {
  readonly name: string;
  readonly freePlaces: FreePlaces | undefined;
  readonly actor: string;
}

type DueClaims = WaitingClaims<ClaimWanted, Claim>;

/** The calls of ClaimDue that wait. What is overdue they saw to before. */
export const createDueClaims = (deps: ClaimDeps): DueClaims =>
  createWaitingClaims(async (change, wanted) => {
    const claimed = await claim(deps, change, { ...wanted, look: NOTHING_OVERDUE, waits: false });
    return claimed.moved ? claimed : undefined;
  });

/**
 * Hands due deliveries to a worker, waiting for the first if none is due. When the caller has gone away by then, no
 * attempt is spent.
 * @throws INVALID_ARGUMENT when a limit, a number of free places or wait_ms is out of bounds.
 */
export const claimDue =
  (deps: ClaimDueDeps) =>
  async (request: ClaimDueRequest, call: Call): Promise<ClaimDueResponse> => {
    const { limit, waitMs } = request;
    const name = request.claim ?? "";
    const unprovenLimit = request.unprovenLimit ?? limit;
    const freePlaces = freePlacesOf(request);
    assertClaim({ limit, waitMs, name, unprovenLimit, freePlaces });
    const wanted = { limit, unprovenLimit, freePlaces, name, actor: call.actor };
    const answerWith = async ({ attempts, deliveries, lost }: Claim): Promise<ClaimDueResponse | undefined> => {
      deps.metrics.ended(lost, deps.clock.now());
      if (call.signal.aborted)
        await deps.changes.run((change) => giveBack(deps, change, deliveries, { engine: false }));
      else if (attempts.length > 0) return { attempts };
      return undefined;
    };
    const endAt = performance.now() + waitMs;
    while (!call.signal.aborted && !deps.isLeaving()) {
      // Taken before looking, so that what comes due in between is not missed.
      const ticket = deps.wake.ticket(DELIVERIES_CHANNEL);
      const look = await deps.queue.look({ unprovenToo: unprovenLimit > 0 });
      const now = deps.clock.now();
      if (look.ready || isPast(look.waitingUntil, now) || isPast(look.leasedUntil, now)) {
        const claimed = await deps.changes.run((change) => claim(deps, change, { ...wanted, look }));
        const answer = await answerWith(claimed);
        if (answer !== undefined) return answer;
        // However much there is to skip, the answer is in time: the next call goes on with it.
        if (claimed.moved && performance.now() < endAt && !call.waiting.aborted) {
          await nextTurn();
          continue;
        }
      }
      const remainingMs = endAt - performance.now();
      if (remainingMs <= 0 || call.waiting.aborted) break;
      // A place that another process frees may go unnoticed as long as a lost wake-up.
      const timeoutMs = Math.min(remainingMs, untilNext(look, now), LOOK_AGAIN_MS);
      const woken = deps.wake.after(DELIVERIES_CHANNEL, ticket, timeoutMs, call.waiting);
      const taken = await deps.waitingClaims.wait(wanted, woken);
      const answer = taken && (await answerWith(taken));
      if (answer !== undefined) return answer;
    }
    return { attempts: [] };
  };

/** Milliseconds until something comes due. What is ready already waits for a free place, which will be announced. */
function untilNext({ waitingUntil, leasedUntil }: QueueLook, now: Date): number {
  const coming = [waitingUntil, leasedUntil].flatMap((at) => (at !== undefined && at > now ? [at.getTime()] : []));
  return Math.min(...coming) - now.getTime();
}

/**
 * Gives back what claims took whose answers never reached the worker (R-X143). To the store's own queue also where a
 * retry engine claimed it: that engine asks again anyway.
 * @throws INVALID_ARGUMENT when there are too many names, or one has not the form of a name.
 */
export const returnClaims =
  (deps: TakeBackDeps & Pick<RecordDeps, "changes">) =>
  async ({ claims }: ReturnClaimsRequest): Promise<ReturnClaimsResponse> => {
    if (claims.length > RETURNED_CLAIMS_MAX || claims.some((name) => name === "" || !CLAIM_NAME.test(name))) {
      throw invalidArgument([{ field: "claims", reason: `must be at most ${RETURNED_CLAIMS_MAX} names of claims` }]);
    }
    const returned = await deps.changes.run(async (change) =>
      takeBackAtOnce(deps, change, await deps.queue.listClaimed(change.db, claims, change.at), { engine: false }),
    );
    return { returned };
  };

function freePlacesOf({ freePlaces, unprovenFreePlaces }: ClaimDueRequest): FreePlaces | undefined {
  if (freePlaces == null) return undefined;
  return { all: freePlaces, unproven: unprovenFreePlaces ?? freePlaces };
}

function assertClaim({
  limit,
  waitMs,
  name,
  unprovenLimit,
  freePlaces,
}: Omit<ClaimWanted, "actor"> & { readonly waitMs: number }): void {
  const violations: FieldViolation[] = [];
  if (limit < 1 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (waitMs < 0 || waitMs > WAIT_MS_MAX) violations.push({ field: "wait_ms", reason: `must be 0 to ${WAIT_MS_MAX}` });
  if (unprovenLimit < 0 || unprovenLimit > limit)
    violations.push({ field: "unproven_limit", reason: "must be 0 to limit" });
  if (freePlaces !== undefined && freePlaces.all < limit)
    violations.push({ field: "free_places", reason: "must be limit or more" });
  if (freePlaces !== undefined && (freePlaces.unproven < unprovenLimit || freePlaces.unproven > freePlaces.all))
    violations.push({ field: "unproven_free_places", reason: "must be unproven_limit to free_places" });
  if (!CLAIM_NAME.test(name)) violations.push({ field: "claim", reason: "must be 0 to 64 letters, digits, - and _" });
  if (violations.length > 0) throw invalidArgument(violations);
}

/**
 * Records how attempts ended and schedules what follows. Outcomes that come too late are ignored.
 * @throws INVALID_ARGUMENT when an outcome has no class, or there are too many.
 */
export const recordOutcomes =
  (deps: RecordDeps) =>
  async ({ outcomes }: RecordOutcomesRequest, call: Call): Promise<RecordOutcomesResponse> => {
    assertOutcomes(outcomes);
    const { ended, takenBack } = await deps.changes.run((change) =>
      recordReported(deps, change, outcomes, { actor: call.actor, engine: false }),
    );
    deps.paces.learn(ended, deps.clock.now());
    deps.metrics.ended(ended, deps.clock.now());
    return { recorded: ended.length + takenBack };
  };

function assertOutcomes(outcomes: readonly AttemptOutcome[]): void {
  if (outcomes.length > OUTCOMES_MAX) {
    throw invalidArgument([{ field: "outcomes", reason: `must be at most ${OUTCOMES_MAX}` }]);
  }
  const unknown = outcomes.findIndex((outcome) => !isKnownClass(outcome.class));
  if (unknown >= 0) throw invalidArgument([{ field: `outcomes[${unknown}].class`, reason: "must be a known class" }]);
}
