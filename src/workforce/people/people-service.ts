import type { FindPersonRequest, FindPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { PersonRepository } from "./person-repository.ts";

export interface PeopleDeps {
  readonly people: PersonRepository;
}

/** Finds who has an e-mail address, compared trimmed and lower-cased (R-D2). Nobody is an answer, not a failure. */
export const findPerson =
  ({ people }: PeopleDeps) =>
  async ({ email }: FindPersonRequest): Promise<FindPersonResponse> => {
    const person = await people.findByEmail(email);
    return person === undefined ? { disabled: false } : { personId: person.id, disabled: person.disabled };
  };
