import type { Generated } from "kysely";
import type {
  ApiKeyId,
  InstanceId,
  InstanceIntegrationId,
  IntegrationId,
  OrganizationLocationId,
  OrganizationUnitId,
  PersonId,
  TenantId,
  UnitTypeId,
  UserId,
  WorkerId,
  WorkerProfileId,
} from "#runtime/basis/ids.ts";
import type { AddressColumns } from "./postal-address.ts";

/** 0 or 1. */
export type Flag = number;
/** Unix milliseconds. */
type Instant = number;

/** A row of a tenant's that has a name and no other content. */
interface NamedRow<Id> {
  id: Id;
  tenant_id: TenantId;
  name: string;
  created_at: Instant;
}

/** A row that stays when its thing is erased, for those that refer to it (R-X260). */
interface Erasable {
  erased_at?: Instant | null;
}

/**
 * Workforce's own tables; no other domain sees them (R-D3). Words are those that are stored: repositories, which turn
 * them into the nouns' own types and back, do not compile when the two differ. Revisions: revisions.ts.
 */
export interface WorkforceTables {
  workforce_instances: { id: InstanceId; name: string; revision: number; created_at: Instant };
  workforce_integrations: { id: IntegrationId; name: string; revision: number; created_at: Instant };
  workforce_instance_integrations: {
    id: InstanceIntegrationId;
    integration_id: IntegrationId;
    instance_id: InstanceId;
    configured: Flag;
    created_at: Instant;
    updated_at: Instant;
  };
  workforce_api_keys: {
    id: ApiKeyId;
    integration_id: IntegrationId;
    label: string;
    look_up: string;
    /** SHA-256 of the whole key. */
    digest: Buffer;
    created_at: Instant;
    expires_at: Instant | null;
    revoked_at: Instant | null;
    /** Both or neither; without them the installation's limit holds (R-G12). */
    rate_per_second: number | null;
    rate_burst: number | null;
    last_used_at: Instant | null;
    /** JSON list of scopes. */
    scopes: string;
  };
  /** See rate-limits/token-bucket.ts. */
  workforce_rate_buckets: {
    api_key_id: ApiKeyId;
    /** Thousandths of a request. */
    drawn: number;
    refilled_at: Instant;
    /** What the last draw got. */
    granted: number;
  };
  workforce_people: Erasable & {
    id: PersonId;
    worker_profile_id: WorkerProfileId;
    email: string;
    /** The address as it is compared (R-D2). */
    email_key: string;
    email_verified: Flag;
    first_name: string | null;
    last_name: string | null;
    /** 1 when both names are known. */
    named: Flag;
    disabled: Flag;
    created_at: Instant;
    /** When last enabled again; everything that sign-on issued before that is void (R-X93). */
    enabled_at?: Instant | null;
    email_changed_at?: Instant | null;
  };
  workforce_tenants: AddressColumns &
    Erasable & {
      id: TenantId;
      instance_id: InstanceId;
      name: string;
      revision: number;
      created_at: Instant;
    };
  workforce_access_roles: {
    id: Generated<number>;
    tenant_id: TenantId;
    name: string;
    /** As `AccessRoleKind`. */
    kind: "OWNER" | "ADMIN" | "MEMBER" | "CUSTOM";
    /** JSON array of strings, sorted, each once. */
    permissions: string;
  };
  workforce_users: {
    id: UserId;
    tenant_id: TenantId;
    person_id: PersonId;
    /** As `UserStatus`. */
    status: "ACTIVE" | "INACTIVE" | "INVITED" | "DELETED";
    manager_id: UserId | null;
    access_role_id: number | null;
    created_at: Instant;
  };
  workforce_last_login_contexts: {
    person_id: PersonId;
    instance_id: InstanceId;
    /** As `SeatKind`. */
    kind: "USER" | "WORKER";
    tenant_id: TenantId;
    set_at: Instant;
  };
  workforce_unit_types: NamedRow<UnitTypeId> & Erasable;
  workforce_units: NamedRow<OrganizationUnitId> &
    Erasable & {
      unit_type_id: UnitTypeId;
      unit_code: string | null;
      description: string | null;
      parent_unit_id: OrganizationUnitId | null;
    };
  workforce_locations: NamedRow<OrganizationLocationId>;
  workforce_workers: AddressColumns & {
    id: WorkerId;
    tenant_id: TenantId;
    person_id: PersonId;
    /** Always 1: a worker's person has both names (R-D2). */
    person_named: Flag;
    /** JSON array of strings. */
    job_titles: string;
    phone: string | null;
    location_id: OrganizationLocationId | null;
    created_at: Instant;
    ended_at: Instant | null;
  };
  workforce_worker_units: {
    tenant_id: TenantId;
    worker_id: WorkerId;
    unit_id: OrganizationUnitId;
    position: number;
    is_primary: Flag;
  };
  workforce_imports: {
    import_id: string;
    lines: number;
    created: number;
    unchanged: number;
    bad: number;
    /** Number of the last line dealt with; 0 before the first. */
    last_number: number;
    /** Byte position behind that line. */
    end_offset: number;
    updated_at: Instant;
  };
  workforce_gateway_refusals: {
    request_id: string;
    refused_at: Instant;
    operation: string;
    check_name: string;
    api_key_id: ApiKeyId | null;
    /** JSON array of ids. */
    ids: string;
  };
  workforce_import_bad_lines: { import_id: string; number: number; reason: string };
}
