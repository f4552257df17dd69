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

/** A tenant that a caller may see. Whoever has one has passed the checks of `getReachableTenant`. */
export interface ReachableTenant {
  readonly id: TenantId;
  /** Grows with each write that may change what the tenant shows (R-G10). */
  readonly revision: number;
}
