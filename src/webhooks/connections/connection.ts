import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";

/** Whether an instance integration lets its subscriptions take part (R-E14); `revoked` is final. */
export type ConnectionState = "configured" | "unconfigured" | "revoked";

/** Where an instance integration stands, as workforce has told last. */
export interface Connection {
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly state: ConnectionState;
  /** The higher one holds. */
  readonly revision: number;
}
