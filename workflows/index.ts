export { authorizationCodeExpiry } from "./authorization-code-expiry.ts";
export { webhookRecovery } from "./webhook-recovery.ts";
export { deliverNow, webhookRetry } from "./webhook-retry.ts";
