import type { Tenant } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { allPages } from "./answers.ts";
import type { Asked } from "./verb.ts";

/** The tenants of an instance, oldest first. The demonstration asks without the call of a command. */
export const allTenantsOf = (
  { platform, call }: Pick<Asked, "platform"> & Partial<Pick<Asked, "call">>,
  instanceId: string,
): Promise<readonly Tenant[]> =>
  allPages(
    (after) => platform.listTenantsOfInstance({ instanceId, after }, call),
    ({ tenants }) => tenants,
  );
