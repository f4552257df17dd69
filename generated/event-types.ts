// Made by `make generate`. Do not edit.

/** Every event type of webhooks.asyncapi.yaml. */
export const EVENT_TYPES = [
  "client.created",
  "user.updated"
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
