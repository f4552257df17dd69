import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Person, PersonDetails } from "./person.ts";
import type { PersonRepository } from "./person-repository.ts";

/**
 * The person who has the address, created if there is none. Names are taken only when the person is new; that the
 * platform vouches for the address is remembered either way (R-S8). Locked, so that a seat that is made next shows the
 * person as they are then.
 */
export async function findOrCreatePerson(
  people: PersonRepository,
  details: PersonDetails,
  random: Random,
  at: Date,
): Promise<Person> {
  let person = await people.lockByEmail(details.email);
  // Somebody who had the address when it was to be created may have another one by now: then it is free.
  while (person === undefined) {
    const ids = { id: newId("person", random), workerProfileId: newId("workerProfile", random) };
    await people.createUnlessKnown(ids, details, at);
    person = await people.lockByEmail(details.email);
  }
  if (!details.emailVerified || person.emailVerified) return person;
  await people.replaceEmailVerified(person.id, true);
  return { ...person, emailVerified: true };
}
