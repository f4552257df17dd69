import type { Person } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";

/** A person as `--json` shows it. */
export const toPersonJson = (person: Person) => ({
  id: person.id,
  workerProfileId: person.workerProfileId,
  email: person.email,
  emailVerified: person.emailVerified,
  firstName: person.firstName ?? null,
  lastName: person.lastName ?? null,
  disabled: person.disabled,
  createdAt: toJsonInstant(person.createdAt),
});

export const personFacts = (person: Person) =>
  [
    ["id", person.id],
    ["name", shownPerson(person)],
    ["e-mail", shownEmail(person)],
    ["sign-in", person.disabled ? "disabled" : "enabled"],
    ["worker profile", person.workerProfileId],
    ["created", toShownInstant(person.createdAt)],
  ] as const;

/** First name, space, last name; or the only one of them. */
export const shownPerson = (person: Person | null): string =>
  [person?.firstName, person?.lastName].filter((name) => typeof name === "string").join(" ");

/** The address, and whether it is verified. */
export const shownEmail = (person: Person | null): string =>
  person === null ? "" : `${person.email}${person.emailVerified ? "" : " (not verified)"}`;
