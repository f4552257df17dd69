import {
  DisablePersonRequest,
  DisablePersonResponse,
  EnablePersonRequest,
  EnablePersonResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { erasedForGood, unknownReference } from "../failures.ts";
import { readWrite } from "../request-fields.ts";
import { type Ended, repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import type { Person } from "./person.ts";
import { personRepository } from "./person-repository.ts";

interface DisablingDeps {
  readonly changes: WorkforceChanges;
}

/** A method that disables a person, or enables one. */
const setting =
  (disabled: boolean, asked: typeof DisablePersonRequest, answer: typeof DisablePersonResponse) =>
  ({ changes }: DisablingDeps) =>
  async (request: DisablePersonRequest, call: Call): Promise<DisablePersonResponse> => {
    const personId = readWrite(request, (fields) => fields.id("person_id", "person", request.personId));
    return changes.run(
      (change) => setDisabled(change, call, personId, disabled),
      repeatable(request, call, asked, answer),
    );
  };

/**
 * From now on the person cannot sign in and gets no claims (R-S7). Users keep their status, so nothing is emitted.
 * @throws NOT_FOUND (person_not_found).
 */
export const disablePerson = setting(true, DisablePersonRequest, DisablePersonResponse);

/** The person can sign in again; sessions and tokens from before stay over (R-X93). @throws NOT_FOUND (person_not_found); FAILED_PRECONDITION (erased). */
export const enablePerson = setting(false, EnablePersonRequest, EnablePersonResponse);

async function setDisabled(
  { db, at, unchanged, wrote }: WorkforceChange,
  call: Call,
  personId: PersonId,
  disabled: boolean,
): Promise<Ended<{ person: Person }>> {
  const people = personRepository(db);
  const before = await people.lock(personId);
  if (!before) throw unknownReference("person", "person_id", personId);
  if (!disabled && (await people.listErased([personId])).has(personId)) throw erasedForGood(personId);
  if (before.disabled === disabled) return unchanged({ person: before });
  await (disabled ? people.disable(personId) : people.enable(personId, at));
  const written = { actor: call.actor, object: personId };
  return wrote(disabled ? "person.disable" : "person.enable", written, { person: { ...before, disabled } });
}
