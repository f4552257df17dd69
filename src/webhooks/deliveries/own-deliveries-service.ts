import type {
  GetOwnDeliveryRequest,
  GetOwnDeliveryResponse,
  ListOwnDeliveriesRequest,
  ListOwnDeliveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { DeliveryState as StateMessage } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { type FieldViolation, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { parseCursor, toCursor } from "./cursor.ts";
import { toDeliveryMessage } from "./deliveries-service.ts";
import type { DeliveryFilter, DeliveryRepository, ListedDelivery } from "./delivery-repository.ts";
import type { OwnSubscriptionRepository } from "./own-subscription-repository.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;
/** Deliveries that one page looks at for those that fit a type, a tenant or a time. */
const SCANNED_MAX = 500;
/** Subscriptions of one statement, which reads a few rows of each. */
const SUBSCRIPTIONS_PER_STATEMENT = 8;
/** Deliveries of one transaction are numbered one after the other, those of several at about the time of making. */
const OUT_OF_ORDER_MS = 60 * 60 * 1_000;

export interface OwnDeliveriesDeps {
  readonly deliveries: DeliveryRepository;
  readonly subscriptions: OwnSubscriptionRepository;
}

/** Whose deliveries: an integration's. */
interface Owner {
  readonly integrationId: string;
}

/**
 * Deliveries to the integration's own subscriptions with their attempts, newest first. A page looks at a bounded number
 * of deliveries: it may be shorter than its limit, and even empty, though there is a next one (R-X298).
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listOwnDeliveries =
  ({ deliveries, subscriptions }: OwnDeliveriesDeps) =>
  async ({ integrationId }: Owner, request: ListOwnDeliveriesRequest): Promise<ListOwnDeliveriesResponse> => {
    const { filter, limit, isNarrow, fits, isOver } = parse(request);
    const { subscriptionId } = request;
    const wanted =
      typeof subscriptionId === "string"
        ? await onlyOwn(subscriptions, integrationId, subscriptionId)
        : await subscriptions.listIds(integrationId);
    const asked = isNarrow ? SCANNED_MAX : limit;
    const found = await newest(deliveries, wanted, { ...filter, limit: asked + 1 });
    const scanned = found.slice(0, asked);
    const fitting = scanned.filter(fits);
    const page = fitting.slice(0, limit);
    const last = fitting.length > limit ? page.at(-1) : scanned.at(-1);
    const isMore = fitting.length > limit || (found.length > asked && last !== undefined && !isOver(last));
    return {
      deliveries: page.map(toDeliveryMessage),
      nextCursor: isMore && last !== undefined ? toCursor(last.sequence) : null,
    };
  };

/** @throws NOT_FOUND (delivery_not_found) when there is none, or it belongs to another integration. */
export const getOwnDelivery =
  ({ deliveries, subscriptions }: OwnDeliveriesDeps) =>
  async ({ integrationId }: Owner, { deliveryId }: GetOwnDeliveryRequest): Promise<GetOwnDeliveryResponse> => {
    const [found] = await deliveries.list({ ...ALL, deliveryId, limit: 1 });
    if (found === undefined || !(await subscriptions.isOwn(integrationId, found.subscriptionId)))
      throw notFound("delivery_not_found", `There is no delivery ${deliveryId}.`);
    return { delivery: toDeliveryMessage(found) };
  };

/** A filter by another integration's subscription finds nothing, like one by an unknown one (R-X279). */
const onlyOwn = async (
  subscriptions: OwnSubscriptionRepository,
  integrationId: string,
  subscriptionId: string,
): Promise<readonly string[]> => ((await subscriptions.isOwn(integrationId, subscriptionId)) ? [subscriptionId] : []);

const ALL = {
  subscriptionId: undefined,
  deliveryId: undefined,
  eventId: undefined,
  states: [],
  before: undefined,
} as const;

/** The newest of the subscriptions, as many as the filter's limit. */
async function newest(
  deliveries: DeliveryRepository,
  subscriptionIds: readonly string[],
  filter: DeliveryFilter,
): Promise<readonly ListedDelivery[]> {
  const found: ListedDelivery[] = [];
  for (let start = 0; start < subscriptionIds.length; start += SUBSCRIPTIONS_PER_STATEMENT) {
    const some = subscriptionIds.slice(start, start + SUBSCRIPTIONS_PER_STATEMENT);
    found.push(...(await deliveries.list({ ...filter, subscriptionIds: some })));
  }
  return found.toSorted((one, other) => other.sequence - one.sequence).slice(0, filter.limit);
}

interface Asked {
  readonly filter: Omit<DeliveryFilter, "limit">;
  readonly limit: number;
  /** True when the page looks at deliveries that may not fit. */
  readonly isNarrow: boolean;
  fits(delivery: ListedDelivery): boolean;
  /** True when no older delivery can fit. */
  isOver(delivery: ListedDelivery): boolean;
}

function parse(request: ListOwnDeliveriesRequest): Asked {
  const { eventType, tenantId, from, to, limit, cursor } = request;
  const violations: FieldViolation[] = [];
  const states = request.states.map((state) => lowerWordOf(StateMessage, state));
  const before = typeof cursor === "string" ? parseCursor(cursor) : undefined;
  if (states.includes(undefined)) violations.push({ field: "states", reason: "must be known states" });
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (typeof cursor === "string" && before === undefined)
    violations.push({ field: "cursor", reason: "must be the next of an answer" });
  if (from && to && from >= to) violations.push({ field: "from", reason: "must be before to" });
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    filter: {
      ...ALL,
      eventId: request.eventId ?? undefined,
      states: [...new Set(states.filter((state) => state !== undefined))],
      before,
    },
    limit: limit === 0 ? LIMIT_DEFAULT : limit,
    isNarrow: [eventType, tenantId, from, to].some((one) => one !== null && one !== undefined),
    fits: (delivery) =>
      (typeof eventType !== "string" || delivery.eventType === eventType) &&
      (typeof tenantId !== "string" || delivery.tenantId === tenantId) &&
      (!from || delivery.createdAt >= from) &&
      (!to || delivery.createdAt < to),
    isOver: ({ createdAt }) => from instanceof Date && createdAt.getTime() < from.getTime() - OUT_OF_ORDER_MS,
  };
}
