import { UpdatePersonRequest, UpdatePersonResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { emailKey } from "#runtime/basis/email-address.ts";
import { alreadyExists, type Failure, failedPrecondition } from "#runtime/basis/errors.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { erasedForGood, unknownReference } from "../failures.ts";
import { type FieldReader, LENGTHS, readWrite } from "../request-fields.ts";
import { isSame } from "../revisions.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import type { EmitPersonChanged } from "./changed-person-service.ts";
import { isNamed, isShownAlike, PERSON_FIELDS, type Person, personAfter } from "./person.ts";
import { type PersonRepository, personRepository } from "./person-repository.ts";
import { seatRepository } from "./seat-repository.ts";

interface PersonUpdateDeps {
  readonly changes: WorkforceChanges;
  readonly emitPersonChanged: EmitPersonChanged;
}

/**
 * Changes e-mail address or names wherever the person has a seat, with an event for each seat (R-D2).
 * @throws NOT_FOUND (person_not_found); ALREADY_EXISTS (person_exists) when somebody else has the address; FAILED_PRECONDITION
 * (names_needed) when a worker would lose a name, (erased).
 */
export const updatePerson =
  ({ changes, emitPersonChanged }: PersonUpdateDeps) =>
  async (request: UpdatePersonRequest, call: Call): Promise<UpdatePersonResponse> => {
    const { personId, mask, given } = readWrite(request, (fields) => readUpdate(fields, request));
    return changes.run(
      async (change) => {
        const { db, at, unchanged, wrote } = change;
        const [people, seats] = [personRepository(db), seatRepository(db)];
        const tenantIds = await seats.listTenants([personId]);
        await tenantRepository(db).lockAll(tenantIds);
        const before = await people.lock(personId);
        if (!before) throw unknownReference("person", "person_id", personId);
        if ((await people.listErased([personId])).has(personId)) throw erasedForGood(personId);
        const person = personAfter(before, given, mask);
        if (isSame(person, before)) return unchanged({ person });
        if (!isNamed(person) && (await seats.hasWorker(personId))) throw namesNeeded();
        await replaceDetails(people, person);
        if (emailKey(person.email) !== emailKey(before.email)) await people.markEmailChanged(personId, at);
        const tenants = isShownAlike(person, before)
          ? []
          : await emitPersonChanged(change, personId, new Set(tenantIds));
        const facts = { fields: [...mask].join(" ") };
        return wrote("person.update", { actor: call.actor, object: personId, facts, tenants }, { person });
      },
      repeatable(request, call, UpdatePersonRequest, UpdatePersonResponse),
    );
  };

function readUpdate(fields: FieldReader, request: UpdatePersonRequest) {
  const mask = fields.mask(request.updateMask, PERSON_FIELDS);
  const name = (field: "first_name" | "last_name", text: string | null | undefined) =>
    mask.has(field) ? fields.optionalText(field, text, LENGTHS.personName) : null;
  return {
    personId: fields.id("person_id", "person", request.personId),
    mask,
    given: {
      email: mask.has("email") ? fields.email("email", request.email) : "",
      firstName: name("first_name", request.firstName),
      lastName: name("last_name", request.lastName),
      emailVerified: request.emailVerified,
    },
  };
}

/** Of two people who take one address at once, one finds it free and is refused by the store. */
async function replaceDetails(people: PersonRepository, person: Person): Promise<void> {
  const holder = await people.findByEmail(person.email);
  if (holder !== undefined && holder.id !== person.id) throw addressTaken();
  try {
    await people.replaceDetails(person.id, person);
  } catch (error) {
    throw isUniqueViolation(error) ? addressTaken(error) : error;
  }
}

const addressTaken = (cause?: unknown): Failure =>
  alreadyExists("person_exists", "Somebody else has this e-mail address. Give another one, or change theirs first.", {
    cause,
  });

const namesNeeded = (): Failure =>
  failedPrecondition(
    "names_needed",
    "The person is a worker, or was one, and a worker has both names. Give the name, or leave it out of update_mask.",
  );
