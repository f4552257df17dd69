import { defineSearchAttributeKey } from "@temporalio/common";

/** Filters and columns of the list of workflows. A server must have all of them before a worker starts. */
export const webhookEventType = defineSearchAttributeKey("WebhookEventType", "KEYWORD");
/** The subscription's label. */
export const webhookSubscription = defineSearchAttributeKey("WebhookSubscription", "KEYWORD");
/** The public id of the event's tenant. */
export const webhookTenant = defineSearchAttributeKey("WebhookTenant", "KEYWORD");
/** Attempts made so far. */
export const webhookAttempts = defineSearchAttributeKey("WebhookAttempts", "INT");
/**
 * The status of the latest answer, or the class of the failure: `503`, `timeout`. A keyword, so that a filter shows its
 * value.
 */
export const webhookLastStatus = defineSearchAttributeKey("WebhookLastStatus", "KEYWORD");

export const searchAttributes = [
  webhookEventType,
  webhookSubscription,
  webhookTenant,
  webhookAttempts,
  webhookLastStatus,
] as const;
