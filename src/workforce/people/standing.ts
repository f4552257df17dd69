import { type InstanceId, parseId } from "#runtime/basis/ids.ts";
import { type Membership, membershipOf } from "./membership.ts";
import type { Person } from "./person.ts";
import type { PersonRepository } from "./person-repository.ts";
import type { Seats } from "./seat.ts";
import type { SeatRepository } from "./seat-repository.ts";

/** What a person is on an instance at this moment; with their seats when they are a member. */
export type Standing =
  | { readonly membership: Exclude<Membership, "MEMBER"> }
  | {
      readonly membership: "MEMBER";
      readonly person: Person;
      readonly instanceId: InstanceId;
      readonly seats: Seats;
    };

export interface StandingDeps {
  readonly people: PersonRepository;
  readonly seats: SeatRepository;
}

/** Reads the standing (R-S7). Ids that are none belong to nobody. */
export async function readStanding(
  deps: StandingDeps,
  request: { readonly personId: string; readonly instanceId: string; readonly authenticatedAt: Date | null },
): Promise<Standing> {
  const personId = parseId("person", request.personId);
  const instanceId = parseId("instance", request.instanceId);
  const person = personId && (await deps.people.findWithHistory(personId));
  if (!person || instanceId === undefined) return { membership: "NONE" };
  const seats = await deps.seats.listOnInstance(person.id, instanceId);
  const membership = membershipOf(person, seats, request.authenticatedAt ?? undefined);
  return membership === "MEMBER" ? { membership, person, instanceId, seats } : { membership };
}
