import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";

/** Whether an instance integration lets its subscriptions take part (R-E14); `revoked` is final. */
export type ConnectionState = "configured" | "unconfigured" | "revoked";

/** The state of an instance integration's connection, as workforce last wrote it. */
export interface Connection {
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly state: ConnectionState;
  /** The state with the higher one counts. */
  readonly revision: number;
}
