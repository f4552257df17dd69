import type { Person, PersonHistory } from "./person.ts";
import type { Seats } from "./seat.ts";

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
  const admitted = seats.users.some(({ status }) => status === "ACTIVE" || status === "INVITED");
  return admitted || seats.workers.length > 0 ? "MEMBER" : "NONE";
}
