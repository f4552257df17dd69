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

/** A tenant with the number of writes that may have changed what it shows (R-G10). */
export interface RevisedTenant extends Tenant {
  readonly revision: number;
}
