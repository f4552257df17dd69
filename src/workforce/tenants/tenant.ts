import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import type { PostalAddress } from "../postal-address.ts";

/** One company on one instance; the wire's "client". */
export interface Tenant {
  readonly id: TenantId;
  readonly instanceId: InstanceId;
  readonly name: string;
  readonly address: PostalAddress;
  readonly createdAt: Date;
}

/** The instance whose tenants a caller may see; only `getReachableInstance`, which checks that, makes one. */
export interface ReachableInstance {
  readonly instanceId: InstanceId;
  /** Grows with each write that may change the list of its tenants (R-G10). */
  readonly revision: number;
}

/** A tenant that a caller may see; only `getReachableTenant`, which checks that, makes one. */
export interface ReachableTenant {
  readonly id: TenantId;
  /** Grows with each write that may change what the tenant shows (R-G10). */
  readonly revision: number;
}
