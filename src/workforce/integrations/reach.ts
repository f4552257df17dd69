import { type InstanceId, type InstanceIntegrationId, parseId, type TenantId } from "#runtime/basis/ids.ts";

/** What the path of a request names; null where it names nothing, or something that is no id. */
export interface RequestPath {
  readonly instanceIntegrationId: InstanceIntegrationId | null;
  readonly tenantId: TenantId | null;
}

/** What the integration of a key reaches of what a request names, as of the instant when the key was read (R-X332). */
export interface Reach {
  /** Grows with each write that may change what the integration shows (R-G10). */
  readonly integrationRevision: number;
  /** The instance integration that the path names; `undefined` when it is another integration's, or is not there. */
  readonly connection: ReachedConnection | undefined;
}

export interface ReachedConnection {
  readonly configured: boolean;
  readonly instance: ReachableInstance;
  /** The tenant that the path names; `undefined` when it is not of the connected instance, is erased, or is not there. */
  readonly tenant: ReachableTenant | undefined;
}

/** The instance whose tenants a caller may see, once its connection is configured. */
export interface ReachableInstance {
  readonly instanceId: InstanceId;
  /** Grows with each write that may change the list of its tenants (R-G10). */
  readonly revision: number;
}

/** A tenant that a caller may see, once the connection is configured. */
export interface ReachableTenant {
  readonly id: TenantId;
  /** Grows with each write that may change what the tenant shows (R-G10). */
  readonly revision: number;
}

/** The ids of a gateway request's path; methods differ in which of the two they have. */
export const pathOf = (request: {
  readonly instanceIntegrationId?: string;
  readonly tenantId?: string;
}): RequestPath => ({
  instanceIntegrationId: parseId("instanceIntegration", request.instanceIntegrationId ?? "") ?? null,
  tenantId: parseId("tenant", request.tenantId ?? "") ?? null,
});
