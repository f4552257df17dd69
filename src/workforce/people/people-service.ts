import type { ReadPersonRequest, ReadPersonResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type {
  ConfirmEmailRequest,
  ConfirmEmailResponse,
  FindPersonRequest,
  FindPersonResponse,
  GetPersonRequest,
  GetPersonResponse,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { readFields } from "../request-fields.ts";
import type { Ended, WorkforceChanges } from "../writes-service.ts";
import { type PersonHistory, personKeyOf } from "./person.ts";
import { type PersonRepository, personRepository } from "./person-repository.ts";

interface PeopleDeps {
  readonly people: PersonRepository;
}

/** Reads a person by id or by e-mail address, for the platform. @throws NOT_FOUND (person_not_found). */
export const readPerson =
  ({ people }: PeopleDeps) =>
  async ({ key }: ReadPersonRequest): Promise<ReadPersonResponse> => {
    if (key?.$case === "email") {
      const email = readFields((fields) => fields.email("email", key.value));
      const person = await people.findByEmail(email);
      if (!person) throw unknownPerson();
      return { person };
    }
    const personId = readFields((fields) => fields.id("person_id", "person", key?.value));
    const person = await people.find(personId);
    if (!person) throw unknownReference("person", "person_id", personId);
    return { person };
  };

/** For sign-on: who has an e-mail address, compared trimmed, lower-cased and in NFC (R-D2). An unknown address is an answer, not a failure. */
export const findPerson =
  ({ people }: PeopleDeps) =>
  async ({ email }: FindPersonRequest): Promise<FindPersonResponse> => {
    const key = personKeyOf({ $case: "email", value: email });
    const person = key && (await people.findWithHistory(key));
    if (person === undefined) return { disabled: false };
    return { personId: person.id, disabled: person.disabled, enabledAt: person.enabledAt };
  };

/** For sign-on: a person, and from when on what sign-on stores of them counts. @throws NOT_FOUND (person_not_found). */
export const getPerson =
  ({ people }: PeopleDeps) =>
  async (request: GetPersonRequest): Promise<GetPersonResponse> => {
    const key = personKeyOf(request.key);
    const person = key && (await people.findWithHistory(key));
    if (person === undefined) throw unknownPerson();
    const { email, firstName, lastName, disabled, enabledAt, emailChangedAt } = person;
    const state = stateOf(person);
    // An erased person is disabled, too: most are asked about without another question.
    const erased = disabled && (await people.listErased([person.id])).has(person.id);
    return { personId: person.id, email, firstName, lastName, disabled, enabledAt, emailChangedAt, state, erased };
  };

/** Not an order of instants, which two processes may see differently: equality of what was last changed. */
const stateOf = ({ enabledAt, emailChangedAt }: PersonHistory): string =>
  `${emailChangedAt?.getTime() ?? 0}.${enabledAt?.getTime() ?? 0}`;

/**
 * Marks the address as verified, unless it was changed since the link for it was made (R-S8). Emits nothing: only claims
 * show the mark.
 * @throws NOT_FOUND (person_not_found).
 */
export const confirmEmail =
  ({ changes }: { readonly changes: WorkforceChanges }) =>
  async ({ personId, obtainedAt, state }: ConfirmEmailRequest, call: Call): Promise<ConfirmEmailResponse> => {
    const id = parseId("person", personId);
    if (id === undefined) throw unknownPerson();
    return changes.run(
      async ({ db, unchanged, wrote }): Promise<Ended<ConfirmEmailResponse>> => {
        const people = personRepository(db);
        // Locked before it is read: an address that is being changed must not be taken for the one that was confirmed.
        if ((await people.lock(id)) === undefined) throw unknownPerson();
        const person = await people.findWithHistory({ id });
        if (person === undefined || obtainedAt === null) return unchanged({ confirmed: false });
        const isSame = state === "" ? isOlder(person.emailChangedAt, obtainedAt) : state === stateOf(person);
        if (!isSame) return unchanged({ confirmed: false });
        if (person.emailVerified) return unchanged({ confirmed: true });
        await people.verifyAll([id]);
        return wrote("person.confirmEmail", { actor: call.actor, object: id }, { confirmed: true });
      },
      { requestId: call.requestId, recognizesItself: true },
    );
  };

const unknownPerson = () => notFound("person_not_found", "There is no person with this id or e-mail address.");

const isOlder = (changedAt: Date | undefined, obtainedAt: Date): boolean =>
  changedAt === undefined || changedAt < obtainedAt;
