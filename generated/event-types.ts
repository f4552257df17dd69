// Made by `make generate`. Do not edit.

/** Every event type of webhooks.asyncapi.yaml. */
export const EVENT_TYPES = [
  "client.created",
  "user.created",
  "user.updated",
  "worker.onboarded",
  "worker.updated",
  "organization_unit_type.created",
  "organization_unit.created",
  "organization_location.created",
  "organization_location.deleted"
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
