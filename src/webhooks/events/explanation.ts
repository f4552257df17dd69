import { counted } from "#runtime/basis/text.ts";
import type { BlockedReason, DeliveryReason } from "../deliveries/delivery-reason.ts";
import type { ListedDelivery } from "../deliveries/listed-delivery.ts";
import type { Blocked } from "../subscriptions/may-send.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { MATCHING_RULES, type MatchedEvent, type RuleName } from "./matching.ts";

/** One rule of matching, applied to an event. */
interface JudgedRule {
  readonly rule: RuleName;
  readonly fits: boolean;
  readonly sentence: string;
}

const FITTING: Readonly<Record<RuleName, string>> = {
  connection: "The instance integration is not revoked.",
  instance: "The event happened on the subscription's instance.",
  age: "The event happened after the subscription was made.",
  event_type: "The subscription is for this event type.",
  owner: "The event is not about a subscription of another instance integration.",
  new_tenant: "The event is not about a new tenant, or the subscription lists no tenants.",
  tenant:
    "The subscription lists no tenants, or this event's tenant among them; or its list does not apply to this type.",
};

/** Every rule, in the order of matching. */
export const judge = (subscription: Subscription, event: MatchedEvent): readonly JudgedRule[] =>
  MATCHING_RULES.map(({ name, fits, otherwise }) =>
    fits(subscription, event)
      ? { rule: name, fits: true, sentence: FITTING[name] }
      : { rule: name, fits: false, sentence: otherwise(subscription, event) },
  );

/** Why there is no delivery, from the first rule that does not fit. */
export function unmatchedSentence(rules: readonly JudgedRule[], isWaiting: boolean): string {
  const broken = rules.find(({ fits }) => !fits);
  if (broken !== undefined) return `It did not match: ${broken.sentence}`;
  return isWaiting
    ? "It matches, and waits to be relayed; its delivery is made in a moment."
    : "It would match as the subscription is now, and no delivery was made: the subscription was changed since, or the delivery is older than deliveries are kept.";
}

/** What became of a delivery, and why. One that waits and is `blocked` is not sent when its turn comes (R-X54). */
export function deliverySentence(
  { state, reason, attempts, dueAt }: ListedDelivery,
  blocked: Blocked | undefined,
): string {
  const why = reason === undefined ? "" : `: ${WHY[reason] ?? reason.replaceAll("_", " ")}`;
  const made = counted(attempts.length, "attempt");
  switch (state) {
    case "delivered":
      return `It matched and was acknowledged, after ${made}.`;
    case "exhausted":
      return `It matched, and every attempt failed: ${made} made, and no other follows by itself${why}.`;
    case "skipped":
      return `It matched and was not sent${why}.`;
    case "cancelled":
      return `It matched, and its delivery was cancelled after ${made}${why}.`;
    case "pending":
      if (attempts.some(({ outcome }) => outcome === "in_flight")) return "It matched, and an attempt is under way.";
      if (blocked !== undefined && dueAt !== undefined)
        return `It matched, and as things are it will be ${blocked.state} when its turn comes, after ${made}: ${WHY[blocked.reason]}.`;
      return dueAt === undefined
        ? `It matched and waits${why}; ${made} made.`
        : `It matched; the next attempt is due at ${dueAt.toISOString()}, after ${made}.`;
  }
}

/** Reasons that words alone do not explain. */
const WHY: Readonly<Record<BlockedReason, string> & Partial<Record<DeliveryReason, string>>> = {
  subscription_paused: "the subscription was paused",
  subscription_pending: "the endpoint had not acknowledged its ping yet",
  subscription_disabled: "the subscription was disabled",
  subscription_deleted: "the subscription was deleted",
  pull_only: "the subscription has no endpoint, and the event is in its feed",
  instance_integration_unconfigured: "the instance integration was not configured",
  instance_integration_revoked: "the instance integration was revoked",
  store_restored: "the store was restored from a backup, and the event may have been delivered before",
};
