import type {
  GetOrganizationStructureRequest,
  GetOrganizationStructureResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { ReadStructureRequest, ReadStructureResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { getReachableTenant } from "../integrations/reachable.ts";
import { readBoundedPage } from "../page.ts";
import { unlessKnown } from "../revisions.ts";
import { getNamedTenant } from "../tenants/belonging.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { OrganizationStructure } from "./organization.ts";
import { type OrganizationRepository, toStructure } from "./organization-repository.ts";

interface OrganizationDeps {
  readonly organization: OrganizationRepository;
  readonly tenants: TenantRepository;
}

/**
 * Reads the structure of a tenant: its unit types, units and locations, each oldest first.
 * @throws NOT_FOUND for the instance integration or the tenant (spec §7.4).
 */
export const getOrganizationStructure =
  ({ organization }: Pick<OrganizationDeps, "organization">) =>
  async (
    request: GetOrganizationStructureRequest,
    { reach }: GatewayCall,
  ): Promise<GetOrganizationStructureResponse> => {
    const tenant = getReachableTenant(reach);
    const empty: OrganizationStructure = { unitTypes: [], units: [], locations: [] };
    return unlessKnown(request, tenant.revision, empty, () => organization.getStructure(tenant.id));
  };

/** Reads the structure of a tenant for the platform, a page at a time. @throws NOT_FOUND (tenant_not_found). */
export const readStructure =
  ({ tenants, organization }: OrganizationDeps) =>
  async (request: ReadStructureRequest): Promise<ReadStructureResponse> => {
    const page = readBoundedPage(request, ["unitType", "organizationUnit", "organizationLocation"]);
    const { id: tenantId } = await getNamedTenant(tenants, request);
    const { entries, next } = cutPage(await organization.listPage(tenantId, page), page, (entry) => entry);
    return { ...toStructure(entries.map(({ row }) => row)), next };
  };
