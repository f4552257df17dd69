import type { InstanceId, InstanceIntegrationId, IntegrationId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";

import type { ConnectionState } from "../connections/connection.ts";

export type SubscriptionState = "active" | "paused" | "disabled";

/** Who wants which events, and where to (R-E9). */
export interface Subscription {
  readonly id: SubscriptionId;
  /** A unique slug without personal data. */
  readonly label: string;
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly instanceId: InstanceId;
  readonly integrationId: IntegrationId;
  readonly endpointUrl: string;
  /** Exact types, `user.*`, or `*`. */
  readonly eventTypes: readonly string[];
  /** Empty: every tenant of the instance. */
  readonly tenantIds: readonly TenantId[];
  readonly state: SubscriptionState;
  readonly stateReason: string | undefined;
  /** Of its instance integration; beside the subscription's own state, which comes back when it does. */
  readonly connection: ConnectionState;
  /**
   * The outbox's last sequence when the subscription was made; it takes part in what was written after that (R-X140).
   */
  readonly eventsAfter: number;
  readonly createdAt: Date;
}

const LABEL = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LABEL_LENGTH_MAX = 63;

/** What is wrong with a label, or `undefined`. It is in metrics, logs and workflow ids, hence a slug (R-E15). */
export function labelProblem(label: string): string | undefined {
  if (label.length <= LABEL_LENGTH_MAX && LABEL.test(label)) return undefined;
  return `must be 1 to ${LABEL_LENGTH_MAX} characters of a-z, 0-9 and single hyphens between them`;
}
