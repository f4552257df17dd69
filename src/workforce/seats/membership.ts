import type { Person } from "../people/person.ts";
import type { Seats } from "./seat.ts";

export type Membership = "MEMBER" | "NONE" | "DISABLED";

/** A member has an ACTIVE or INVITED user or a worker not ended on the instance, and is not disabled (R-S7). */
export function membershipOf(person: Pick<Person, "disabled"> | undefined, seats: Seats): Membership {
  if (person === undefined) return "NONE";
  if (person.disabled) return "DISABLED";
  const admitted = seats.users.some(({ status }) => status === "ACTIVE" || status === "INVITED");
  return admitted || seats.workers.length > 0 ? "MEMBER" : "NONE";
}
