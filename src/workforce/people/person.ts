import { emailKey, isEmailAddress } from "#runtime/basis/email-address.ts";
import { type PersonId, parseId, type WorkerProfileId } from "#runtime/basis/ids.ts";

/** A human being: owns the e-mail address and the names that users and workers show (R-D1, R-D2). */
export interface Person {
  readonly id: PersonId;
  readonly workerProfileId: WorkerProfileId;
  /** As given, without surrounding spaces. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null only while the person has no worker. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** Whom a question is about. */
export type PersonKey = { readonly id: PersonId } | { readonly email: string };

/**
 * Whom an id or an address names by its form. Every stored address has the form of one: any other text belongs to no
 * person, and a store may refuse it.
 */
export function personKeyOf(
  given: { readonly $case: "personId" | "email"; readonly value: string } | null,
): PersonKey | undefined {
  if (given?.$case === "email") return isEmailAddress(given.value.trim()) ? { email: given.value } : undefined;
  const id = parseId("person", given?.value ?? "");
  return id && { id };
}

/** From when on what sign-on holds of a person counts. */
export interface PersonHistory {
  /** When last enabled again: proofs and tokens from before that are void (R-X93). */
  readonly enabledAt: Date | undefined;
  /** When the e-mail address was last changed: everything issued for a previous one is void (R-S8). */
  readonly emailChangedAt: Date | undefined;
}

/** True when somebody with these names may be a worker (R-D2). */
export const isNamed = ({ firstName, lastName }: Pick<Person, "firstName" | "lastName">): boolean =>
  firstName !== null && lastName !== null;

/** What the platform states about a person. */
export interface PersonDetails {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The platform vouches for the address (R-S8). */
  readonly emailVerified: boolean;
}

/** First name, space, last name; the one there is when the other is null; null when both are (R-D2). */
export function fullName(firstName: string | null | undefined, lastName: string | null | undefined): string | null {
  // Nearly everybody has both; lists are full of them.
  if (firstName && lastName) return `${firstName} ${lastName}`;
  const names = [firstName, lastName].filter((name) => name !== null && name !== undefined && name !== "");
  return names.length === 0 ? null : names.join(" ");
}

/** What an update may name of a person. */
export const PERSON_FIELDS = ["email", "first_name", "last_name", "email_verified"] as const;

export type PersonField = (typeof PERSON_FIELDS)[number];

/**
 * The person after an update that names `mask`. A changed address is not verified any more unless the update says so
 * (R-S8).
 */
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
