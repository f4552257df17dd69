import { SENT_TYPES } from "#generated/event-types.ts";
import type { Delivery, ListDeliveriesRequest } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { DeliveryState as StateMessage } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { toCursor } from "./cursor.ts";
import { toDeliveryMessage } from "./delivery-message.ts";
import type { DeliveryFilter, DeliveryRepository } from "./delivery-repository.ts";
import { patternProblem, typesOf } from "./event-type-pattern.ts";
import { readListPart, readStates } from "./list-part.ts";
import type { ListedDelivery } from "./listed-delivery.ts";

/** Deliveries that one page looks at for those that fit a type, a tenant or a time. */
const SCANNED_MAX = 500;
/** Transactions that run side by side number their deliveries in any order, and none is open for so long. */
const SIDE_BY_SIDE_MS = MINUTE_MS;
/** A list goes on so far behind its time, in case a clock was set. */
const OUT_OF_ORDER_MS = HOUR_MS;

/** What operators and integrations ask for in the same way. */
type Asked = Omit<ListDeliveriesRequest, "$type" | "subscriptionId" | "deliveryId">;

/** A page of deliveries that is asked for. */
interface WantedPage {
  readonly filter: Omit<DeliveryFilter, "limit" | "subscriptionId" | "deliveryId">;
  readonly limit: number;
  /** True when the page looks at deliveries that may not fit. */
  readonly isNarrow: boolean;
  fits(delivery: ListedDelivery): boolean;
  /** True when no older delivery can fit. */
  isOver(delivery: ListedDelivery): boolean;
}

/** @throws INVALID_ARGUMENT naming every wrong field at once, those of `found` first. */
export function parseWantedPage(request: Asked, found: readonly FieldViolation[] = []): WantedPage {
  const { eventType, tenantId, from, to } = request;
  const wanted = readStates(StateMessage, request.states);
  const { before, limit, violations: ofPart } = readListPart(request);
  const violations = [...found, ...wanted.violations, ...ofPart];
  const wrongType = typeof eventType === "string" ? patternProblem(eventType, SENT_TYPES) : undefined;
  if (wrongType !== undefined) violations.push({ field: "event_type", reason: wrongType });
  if (from && to && from >= to) violations.push({ field: "from", reason: "must be before `to`", named: ["to"] });
  if (violations.length > 0) throw invalidArgument(violations);
  const types = typeof eventType === "string" ? new Set(typesOf(eventType, SENT_TYPES)) : undefined;
  return {
    filter: {
      eventId: request.eventId ?? undefined,
      states: wanted.states,
      before,
      madeBefore: to ?? undefined,
    },
    limit,
    isNarrow: [eventType, tenantId, from].some((one) => one !== null && one !== undefined),
    fits: (delivery) =>
      (types === undefined || types.has(delivery.eventType)) &&
      (typeof tenantId !== "string" || delivery.tenantId === tenantId) &&
      (!from || delivery.createdAt >= from),
    isOver: ({ createdAt }) => from instanceof Date && createdAt.getTime() < from.getTime() - OUT_OF_ORDER_MS,
  };
}

/**
 * The page, newest first, out of what `list` finds. It looks at a bounded number of deliveries: with a type, a tenant or
 * a beginning it may be shorter than its limit, and even empty, though there is a next one (R-X298).
 */
export async function deliveryPage(
  { filter, limit, isNarrow, fits, isOver }: WantedPage,
  { sequenceAt }: Pick<DeliveryRepository, "sequenceAt">,
  list: (filter: WantedPage["filter"] & { readonly limit: number }) => Promise<readonly ListedDelivery[]>,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  const asked = isNarrow ? SCANNED_MAX : limit;
  const { madeBefore, before: cursor = Number.MAX_SAFE_INTEGER } = filter;
  // The cursor may be one of a list without that time.
  const before =
    madeBefore === undefined
      ? cursor
      : Math.min(cursor, await sequenceAt(new Date(madeBefore.getTime() + SIDE_BY_SIDE_MS)));
  // One more than is looked at: it shows whether there is a next page.
  const found = await list({ ...filter, before, limit: asked + 1 });
  const scanned = found.slice(0, asked);
  const fitting = scanned.filter(fits);
  const page = fitting.slice(0, limit);
  const last = fitting.length > limit ? page.at(-1) : scanned.at(-1);
  const isMore = fitting.length > limit || (found.length > asked && last !== undefined && !isOver(last));
  return {
    deliveries: page.map(toDeliveryMessage),
    nextCursor: isMore && last !== undefined ? toCursor(last.sequence) : null,
  };
}
