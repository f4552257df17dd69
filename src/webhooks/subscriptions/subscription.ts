import type { InstanceId, InstanceIntegrationId, IntegrationId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import type { ConnectionState } from "../connections/connection.ts";
import type { DisabledBy, StateReason } from "./state-reason.ts";

/** Pending: its endpoint is new or changed and has not acknowledged a ping yet (R-X270). */
export type SubscriptionState = "active" | "paused" | "disabled" | "pending";

/** Who wants which events, and where to (R-E9). */
export interface Subscription {
  readonly id: SubscriptionId;
  /** A unique slug without personal data. */
  readonly label: string;
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly instanceId: InstanceId;
  readonly integrationId: IntegrationId;
  /** Empty: pull-only; nothing is posted, events are read from the feed (R-X275). */
  readonly endpointUrl: string;
  /** Exact types, `user.*`, or `*`. */
  readonly eventTypes: readonly string[];
  /** Empty: every tenant of the instance. */
  readonly tenantIds: readonly TenantId[];
  readonly state: SubscriptionState;
  readonly stateReason: DisabledBy | undefined;
  readonly stateSince: Date;
  /** True while its present endpoint must acknowledge a ping, whatever the state: a paused one is pending afterwards. */
  readonly awaitsPing: boolean;
  /** In the words of who made it, without personal data. Empty: none. */
  readonly description: string;
  /** Of the headers that its deliveries have besides ours; the values are sealed (R-X272). */
  readonly extraHeaderNames: readonly string[];
  /** Names and values of those headers, sealed; `undefined` when there are none. */
  readonly sealedHeaders: Buffer | undefined;
  /** The highest number that a signing secret or key pair of it has had. */
  readonly secretsMade: number;
  /** Of its instance integration; beside the subscription's own state, which comes back when it does. */
  readonly connection: ConnectionState;
  /**
   * The outbox's last sequence when the subscription was made; it takes part in what was written after that (R-X140).
   */
  readonly eventsAfter: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** To who sees it, a subscription whose instance integration does not let it take part is disabled for that reason. */
export function shownState({
  state,
  stateReason,
  connection,
}: Subscription): Pick<Subscription, "state"> & { readonly stateReason: StateReason | undefined } {
  const byConnection = connection === "revoked" || (connection === "unconfigured" && state === "active");
  return byConnection
    ? { state: "disabled", stateReason: `instance_integration_${connection}` }
    : { state, stateReason };
}

/** True when it has no endpoint (R-X275). */
export const isPullOnly = ({ endpointUrl }: Pick<Subscription, "endpointUrl">): boolean => endpointUrl === "";

/**
 * Scheme, host and port of its endpoint; empty when it is pull-only. Without a full stop at the end of the host, with which
 * it is the same one (RFC 1034 §3.1).
 */
export const originOf = ({ endpointUrl }: Pick<Subscription, "endpointUrl">): string =>
  endpointUrl === "" ? "" : new URL(endpointUrl).origin.replace(/\.(?=(?::\d+)?$)/, "");

const LABEL = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LABEL_LENGTH_MAX = 63;

/** What is wrong with a label, or `undefined`. It is in metrics, logs and workflow ids, hence a slug (R-E15). */
export function labelProblem(label: string): string | undefined {
  if (label.length <= LABEL_LENGTH_MAX && LABEL.test(label)) return undefined;
  return `must be 1 to ${LABEL_LENGTH_MAX} characters of a-z, 0-9 and single hyphens between them`;
}
