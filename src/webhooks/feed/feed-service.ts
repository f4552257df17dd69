import { performance } from "node:perf_hooks";
import type {
  FeedEvent,
  FeedPage,
  ReadFeedRequest,
  ReadFeedResponse,
} from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import { parseId, type SubscriptionId } from "#runtime/basis/ids.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { WAIT_MS_MAX } from "../deliveries/waits.ts";
import type { OpenedSecrets } from "../queue/opened-secrets.ts";
import { standardHeaders } from "../queue/signature.ts";
import { operatorScope, type Scope } from "../subscriptions/scope.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";
import type { FeedCursors } from "./feed-cursor.ts";
import type { FedDelivery, FedPart, FeedBounds, FeedRepository } from "./feed-repository.ts";
import type { FeedWaiters } from "./feed-waiters-service.ts";
import { type FindSigner, JSON_CONTENT, keysOf, signerFor } from "./own-signer-service.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;
/** Bytes of the bodies of one page; a larger first event is sent alone. */
const BYTES_MAX = 1024 * 1024;
/** In place of a cursor: behind everything that is there. */
const NOW = "now";

/** What a page of a feed is asked with. */
interface FeedQuestion {
  readonly subscriptionId: string;
  readonly after: string | undefined;
  /** 0 means 50. */
  readonly limit: number;
  readonly waitMs: number;
}

/** The feeds of subscriptions: what their endpoints get, or would get, as data. */
export interface EventFeed {
  /**
   * The events behind a cursor, in the order of their deliveries; waits for the first one when there is none. A cursor
   * that is older than what is kept has no events and `keptFrom`.
   * @throws INVALID_ARGUMENT naming every wrong field; NOT_FOUND (subscription_not_found), also for a subscription that the
   * scope does not contain; FAILED_PRECONDITION (instance_integration_not_configured, instance_integration_revoked);
   * RESOURCE_EXHAUSTED (too_many_waiting); UNAVAILABLE (secret_unopened) when an event cannot be signed.
   */
  read(scope: Scope, question: FeedQuestion, signal: AbortSignal): Promise<FeedPage>;
}

interface FeedDeps {
  readonly feed: FeedRepository;
  readonly cursors: FeedCursors;
  readonly waiters: FeedWaiters;
  readonly findSigner: FindSigner;
  readonly secrets: OpenedSecrets;
  readonly clock: Clock;
  readonly log: Log;
}

export function eventFeed(deps: FeedDeps): EventFeed {
  return {
    async read(scope, question, signal) {
      const subscriptionId = check(question);
      const endAt = performance.now() + question.waitMs;
      for (let position: number | undefined; ; ) {
        // Taken before looking, so that a deletion in between is not missed.
        const ticket = deps.waiters.ticket();
        // Each time again: a secret may have been revoked, or the connection, while this waited.
        const signer = await signerFor(deps, scope, subscriptionId);
        const bounds = await deps.feed.findBounds();
        const after = position ?? positionOf(deps, subscriptionId, question.after, bounds);
        const limit = question.limit || LIMIT_DEFAULT;
        const found = await deps.feed.list(subscriptionId, { after, until: bounds.end }, limit);
        if (after > Math.max(bounds.given, bounds.beginning) || after < found.beginning) {
          // Without a cursor nothing can be too old: what was removed in the meantime is omitted.
          if (question.after === undefined && position === undefined) continue;
          return expired(deps, subscriptionId, found.beginning);
        }
        // Behind everything that was looked at: so the cursor of a quiet feed stays young.
        position = found.readTo ?? Math.max(after, found.end);
        const page = pageOf(deps, signer, { ...found, position });
        const remainingMs = endAt - performance.now();
        if (page.events.length > 0 || page.hasMore || remainingMs <= 0 || signal.aborted) return page;
        await deps.waiters.after(signer, { end: bounds.end, ticket }, remainingMs, signal);
      }
    },
  };
}

/** Reads a feed for operators, who may read every one. */
export const readFeed =
  ({ read }: EventFeed) =>
  async ({ after, ...request }: ReadFeedRequest, call: Call): Promise<ReadFeedResponse> => ({
    page: await read(operatorScope(call), { ...request, after: after ?? undefined }, call.waiting),
  });

/** @throws INVALID_ARGUMENT naming every wrong field. */
function check({ subscriptionId, limit, waitMs }: FeedQuestion): SubscriptionId {
  const violations: FieldViolation[] = idViolations("subscription", "subscription_id", subscriptionId);
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (waitMs < 0 || waitMs > WAIT_MS_MAX) violations.push({ field: "wait_ms", reason: `must be 0 to ${WAIT_MS_MAX}` });
  const id = parseId("subscription", subscriptionId);
  if (violations.length > 0 || id === undefined) throw invalidArgument(violations);
  return id;
}

/** @throws INVALID_ARGUMENT when the text is not a cursor of this subscription's feed. */
function positionOf(
  { cursors }: Pick<FeedDeps, "cursors">,
  subscriptionId: SubscriptionId,
  text: string | undefined,
  { beginning, end }: FeedBounds,
): number {
  if (text === undefined) return beginning;
  if (text === NOW) return Math.max(end, beginning);
  const position = cursors.read(subscriptionId, text);
  if (position !== undefined) return position;
  throw invalidArgument([{ field: "after", reason: "must be a cursor that this subscription's feed gave, or now" }]);
}

/** A position of which what follows is not all there any more, or not there yet: a store that was set back (R-X289). */
const expired = ({ cursors }: FeedDeps, subscriptionId: SubscriptionId, beginning: number): FeedPage => {
  const keptFrom = cursors.write(subscriptionId, beginning);
  return { events: [], next: keptFrom, hasMore: false, keptFrom };
};

function pageOf(
  deps: FeedDeps,
  signer: Signer,
  { deliveries, readTo, position }: Pick<FedPart, "deliveries" | "readTo"> & { readonly position: number },
): FeedPage {
  const shown = withinBytes(deliveries);
  const isCut = shown.length < deliveries.length;
  const toEvent = signedAt(deps, signer, deps.clock.now());
  const next = isCut ? (shown.at(-1)?.sequence ?? position) : position;
  return {
    events: shown.map(toEvent),
    next: deps.cursors.write(signer.subscriptionId, next),
    hasMore: isCut || readTo !== undefined,
    keptFrom: null,
  };
}

function withinBytes(deliveries: readonly FedDelivery[]): readonly FedDelivery[] {
  let bytes = 0;
  const tooMany = deliveries.findIndex(({ body }, index) => {
    bytes += body.length;
    return index > 0 && bytes > BYTES_MAX;
  });
  return tooMany < 0 ? deliveries : deliveries.slice(0, tooMany);
}

function signedAt(
  { secrets, cursors, log }: Pick<FeedDeps, "secrets" | "cursors" | "log">,
  signer: Signer,
  at: Date,
): (delivery: FedDelivery) => FeedEvent {
  const timestamp = Math.floor(at.getTime() / 1000);
  const keys = keysOf({ secrets, log }, signer);
  return ({ sequence, eventId, eventType, occurredAt, body }) => ({
    id: eventId,
    type: eventType,
    occurredAt,
    cursor: cursors.write(signer.subscriptionId, sequence),
    headers: [JSON_CONTENT, ...standardHeaders(keys, { id: eventId, timestamp, body })],
    body: body.toString("utf8"),
  });
}
