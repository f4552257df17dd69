export { authorizationCodeExpiry } from "./authorization-code-expiry.ts";
export { deliverNow, webhookRetry } from "./webhook-retry.ts";
