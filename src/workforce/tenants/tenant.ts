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
