import type { ReadPersonRequest, ReadPersonResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { FindPersonRequest, FindPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { isEmailAddress } from "../email-address.ts";
import { unknownReference } from "../refusals.ts";
import { readFields } from "../request-fields.ts";
import type { PersonRepository } from "./person-repository.ts";

export interface PeopleDeps {
  readonly people: PersonRepository;
}

/** Finds who has an e-mail address, compared trimmed and lower-cased (R-D2). Nobody is an answer, not a failure. */
export const findPerson =
  ({ people }: PeopleDeps) =>
  async ({ email }: FindPersonRequest): Promise<FindPersonResponse> => {
    // Every stored address has the form of one. What has not is nobody's, and may be text that a store does not take.
    const person = isEmailAddress(email.trim()) ? await people.findByEmail(email) : undefined;
    return person === undefined ? { disabled: false } : { personId: person.id, disabled: person.disabled };
  };

/** Reads a person by id or by e-mail address, for the platform. @throws NOT_FOUND (person_not_found). */
export const readPerson =
  ({ people }: PeopleDeps) =>
  async ({ key }: ReadPersonRequest): Promise<ReadPersonResponse> => {
    if (key?.$case === "email") {
      const email = readFields((fields) => fields.email("email", key.value));
      const person = await people.findByEmail(email);
      if (!person) throw notFound("person_not_found", "Nobody has this e-mail address.");
      return { person };
    }
    const personId = readFields((fields) => fields.id("person_id", "person", key?.value));
    const person = await people.find(personId);
    if (!person) throw unknownReference("person", "person_id", personId);
    return { person };
  };
