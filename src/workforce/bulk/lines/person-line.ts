import type { PersonId } from "#runtime/basis/ids.ts";
import type { Person, PersonDetails } from "../../people/person.ts";
import { LENGTHS } from "../../request-fields.ts";
import { shown, shownFlag, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";

export const readPersonLine = (fields: LineFields) => ({
  id: fields.id("id", "person"),
  workerProfileId: fields.optionalId("workerProfileId", "workerProfile"),
  email: fields.email("email"),
  emailVerified: fields.flag("emailVerified"),
  firstName: fields.optionalText("firstName", LENGTHS.personName),
  lastName: fields.optionalText("lastName", LENGTHS.personName),
  disabled: fields.flag("disabled"),
  createdAt: fields.instant("createdAt"),
});

export const toPersonLine = (person: Person): WrittenLine<ReturnType<typeof readPersonLine>> => ({
  kind: "person",
  id: person.id,
  workerProfileId: person.workerProfileId,
  email: person.email,
  emailVerified: shownFlag(person.emailVerified),
  firstName: shown(person.firstName),
  lastName: shown(person.lastName),
  disabled: shownFlag(person.disabled),
  createdAt: person.createdAt,
});

/** The person whom a line's seat belongs to: named by id, or found by e-mail address. */
export type PersonReference = { readonly personId: PersonId } | { readonly details: PersonDetails };

/** Reads `personId`, or `email` with what a new person is made of. A worker has both names (R-D2). */
export function readPersonReference(fields: LineFields, names: "required" | "optional"): PersonReference {
  if (!fields.has("email")) return { personId: fields.id("personId", "person") };
  fields.check(!fields.has("personId"), "personId", "cannot be combined with email; give one of them");
  fields.optionalId("personId", "person");
  const name = (member: string) =>
    names === "required" ? fields.text(member, LENGTHS.personName) : fields.optionalText(member, LENGTHS.personName);
  return {
    details: {
      email: fields.email("email"),
      firstName: name("firstName"),
      lastName: name("lastName"),
      emailVerified: fields.flag("emailVerified"),
    },
  };
}
