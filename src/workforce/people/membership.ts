import { type InstanceId, parseId } from "#runtime/basis/ids.ts";
import type { Person, PersonHistory } from "./person.ts";
import { admits, type Seats } from "./seat.ts";
import type { SeatHolder, SeatRepository } from "./seat-repository.ts";

export type Membership = "MEMBER" | "NONE" | "DISABLED" | "SIGNED_OUT";

/**
 * A member has an ACTIVE or INVITED user or a worker not ended on the instance, and is not disabled (R-S7), nor was since the password was
 * entered (R-X93). An unknown time of that counts as before.
 */
export function membershipOf(
  person: (Pick<Person, "disabled"> & Pick<PersonHistory, "enabledAt">) | undefined,
  seats: Seats,
  authenticatedAt: Date | undefined,
): Membership {
  if (person === undefined) return "NONE";
  if (person.disabled) return "DISABLED";
  if (person.enabledAt !== undefined && (authenticatedAt === undefined || authenticatedAt < person.enabledAt))
    return "SIGNED_OUT";
  const admitted = seats.users.some(({ status }) => admits(status));
  return admitted || seats.workers.length > 0 ? "MEMBER" : "NONE";
}

/** Whether a person is a member of an instance at this moment; what a member has there is read with it. */
type PersonOnInstance =
  | { readonly membership: Exclude<Membership, "MEMBER"> }
  | ({ readonly membership: "MEMBER"; readonly instanceId: InstanceId } & SeatHolder);

export interface MembershipDeps {
  readonly seats: SeatRepository;
}

/** Reads the membership (R-S7). A text that is not an id belongs to no person and no instance. */
export async function readMembership(
  { seats }: MembershipDeps,
  request: { readonly personId: string; readonly instanceId: string; readonly authenticatedAt: Date | null },
): Promise<PersonOnInstance> {
  const personId = parseId("person", request.personId);
  const instanceId = parseId("instance", request.instanceId);
  if (personId === undefined || instanceId === undefined) return { membership: "NONE" };
  const holder = await seats.findHolder(personId, instanceId);
  if (holder === undefined) return { membership: "NONE" };
  const membership = membershipOf(holder.person, holder.seats, request.authenticatedAt ?? undefined);
  return membership === "MEMBER" ? { membership, instanceId, ...holder } : { membership };
}
