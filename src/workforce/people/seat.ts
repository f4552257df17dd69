import type { InstanceId, PersonId, TenantId, UserId, WorkerId } from "#runtime/basis/ids.ts";

/** The states of a user that is a seat: every one but DELETED. */
export type SeatStatus = "ACTIVE" | "INACTIVE" | "INVITED";

/** What a person has on one instance, each oldest first. */
export interface Seats {
  /** Users that are not DELETED. */
  readonly users: readonly { readonly id: UserId; readonly tenantId: TenantId; readonly status: SeatStatus }[];
  /** Workers that are not ended. */
  readonly workers: readonly { readonly id: WorkerId; readonly tenantId: TenantId }[];
}

/** A user or worker of a person as operators see it; the names of its tenant and instance are those of now. */
export interface DescribedSeat {
  readonly kind: "USER" | "WORKER";
  readonly id: UserId | WorkerId;
  readonly state: SeatStatus | "DELETED" | "EMPLOYED" | "ENDED";
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly instanceId: InstanceId;
  readonly instanceName: string;
}

/** States of a user that make its person, unless disabled, a member of the instance. */
export const ADMITTING: readonly SeatStatus[] = ["ACTIVE", "INVITED"];

/** Whether a seat of this state makes its person, unless disabled, a member of the instance. */
export const admits = (state: DescribedSeat["state"]): boolean =>
  state === "EMPLOYED" || ADMITTING.some((status) => status === state);

/** A person's user or worker in a tenant, which keeps another one out. */
export interface TakenSeat<Id extends string> {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly personId: PersonId;
}
