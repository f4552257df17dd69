import { emailKey } from "../email-address.ts";
import type { Person, PersonDetails } from "./person.ts";

/** What an update may name of a person. */
export const PERSON_FIELDS = ["email", "first_name", "last_name", "email_verified"] as const;

export type PersonField = (typeof PERSON_FIELDS)[number];

/** The person after an update that names `mask`. A changed address is not verified any more unless the update says so (R-S8). */
export function personAfter(before: Person, given: PersonDetails, mask: ReadonlySet<PersonField>): Person {
  const email = mask.has("email") ? given.email : before.email;
  const stillVerified = before.emailVerified && emailKey(email) === emailKey(before.email);
  return {
    ...before,
    email,
    emailVerified: mask.has("email_verified") ? given.emailVerified : stillVerified,
    firstName: mask.has("first_name") ? given.firstName : before.firstName,
    lastName: mask.has("last_name") ? given.lastName : before.lastName,
  };
}

/** True when users and workers show both alike (R-D2). */
export const isShownAlike = (one: Person, other: Person): boolean =>
  one.email === other.email && one.firstName === other.firstName && one.lastName === other.lastName;
