import type {
  ConfirmEmailRequest,
  ConfirmEmailResponse,
  GetPersonRequest,
  GetPersonResponse,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { isEmailAddress } from "../email-address.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Person } from "./person.ts";
import { type PersonRepository, personRepository } from "./person-repository.ts";

export interface SignInPersonDeps {
  readonly people: PersonRepository;
}

const unknownPerson = () => notFound("person_not_found", "There is no such person.");

/** Tells who somebody is, and from when on what sign-on holds of them counts. @throws NOT_FOUND (person_not_found). */
export const getPerson =
  ({ people }: SignInPersonDeps) =>
  async ({ key }: GetPersonRequest): Promise<GetPersonResponse> => {
    const id = key?.$case === "email" ? await idByEmail(people, key.value) : parseId("person", key?.value ?? "");
    const person = id === undefined ? undefined : await people.findWithHistory(id);
    if (person === undefined) throw unknownPerson();
    const { email, firstName, lastName, disabled, enabledAt, emailChangedAt } = person;
    return { personId: person.id, email, firstName, lastName, disabled, enabledAt, emailChangedAt };
  };

/** Every stored address has the form of one. What has not is nobody's, and may be text that a store does not take. */
async function idByEmail(people: PersonRepository, email: string): Promise<Person["id"] | undefined> {
  return isEmailAddress(email.trim()) ? (await people.findByEmail(email))?.id : undefined;
}

/**
 * Marks the address as verified, unless it was changed at the time or after (R-S8). Nothing is emitted: nobody shows the mark but claims.
 * @throws NOT_FOUND (person_not_found).
 */
export const confirmEmail =
  ({ changes }: { readonly changes: Changes<WorkforceTables> }) =>
  async ({ personId, obtainedAt }: ConfirmEmailRequest, call: Call): Promise<ConfirmEmailResponse> => {
    const id = parseId("person", personId);
    if (id === undefined) throw unknownPerson();
    return changes.run(
      async ({ db, audit }) => {
        const people = personRepository(db);
        // Locked before it is read: an address that is being changed must not be taken for the one that was confirmed.
        if ((await people.lock(id)) === undefined) throw unknownPerson();
        const person = await people.findWithHistory(id);
        if (person === undefined || obtainedAt === null || !isOlder(person.emailChangedAt, obtainedAt))
          return { confirmed: false };
        if (person.emailVerified) return { confirmed: true };
        await people.replaceEmailVerified(id, true);
        await audit({ actor: call.peer, action: "person.confirmEmail", object: id });
        return { confirmed: true };
      },
      { requestId: call.requestId },
    );
  };

const isOlder = (changedAt: Date | undefined, obtainedAt: Date): boolean =>
  changedAt === undefined || changedAt < obtainedAt;
