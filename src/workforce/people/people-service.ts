import type { FindPersonRequest, FindPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { isEmailAddress } from "./email-address.ts";
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
