// Made by `make generate`. Do not edit.

/** Every event type of webhooks.asyncapi.yaml that a subscription can name. */
export const EVENT_TYPES = [
  "client.created",
  "user.created",
  "user.updated",
  "worker.onboarded",
  "worker.updated",
  "organization_unit_type.created",
  "organization_unit.created",
  "organization_location.created",
  "organization_location.deleted",
  "subscription.failing",
  "delivery.exhausted",
  "subscription.disabled",
  "subscription.enabled",
  "secret.expiring",
  "recovery.finished"
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Those about subscriptions and deliveries, which no subscription gets without naming them. */
export const OPERATIONAL_EVENT_TYPES = [
  "subscription.failing",
  "delivery.exhausted",
  "subscription.disabled",
  "subscription.enabled",
  "secret.expiring",
  "recovery.finished"
] as const satisfies readonly EventType[];

export type OperationalEventType = (typeof OPERATIONAL_EVENT_TYPES)[number];

/** Every type that an endpoint may get. */
export const SENT_TYPES = [...EVENT_TYPES, "webhook.ping"] as const;
