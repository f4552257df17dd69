import type { GetInstanceIntegrationResponse } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";

/** What is wrong with the tenants of a subscription that its instance does not have: nothing would ever be sent of them (R-X354). */
export function unknownTenantViolations(
  tenantIds: readonly string[],
  { unknownTenantIds }: Pick<GetInstanceIntegrationResponse, "unknownTenantIds">,
): FieldViolation[] {
  const unknown = new Set(unknownTenantIds);
  return tenantIds.flatMap((id, index) =>
    unknown.has(id) ? [{ field: `tenant_ids[${index}]`, reason: "must be one of the subscription's instance" }] : [],
  );
}
