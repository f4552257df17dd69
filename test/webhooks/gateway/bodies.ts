import type { Integrator } from "./integrator-kit.ts";

const UNKNOWN = "subscription_AAAAAAAAAAAAAAAAAAAAA";

/** A good body for each operation that takes one. */
export const BODIES: Readonly<Record<string, (of: Integrator) => object>> = {
  createSubscription: ({ instanceIntegrationId }) => ({ instanceIntegrationId, eventTypes: ["*"] }),
  updateSubscription: () => ({ description: "x" }),
  rotateSigningSecret: () => ({}),
  sendTestEvent: () => ({ type: "user.updated" }),
  signTestMessages: () => ({ messages: [{ type: "user.updated" }] }),
  startRecoveries: () => ({ from: "2026-06-30T08:00:00Z", to: "2026-06-30T09:00:00Z" }),
  startRecovery: () => ({ subscriptionId: UNKNOWN, from: "2026-06-30T08:00:00Z", to: "2026-06-30T09:00:00Z" }),
};
