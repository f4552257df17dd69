import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { BeginAgain } from "#runtime/changes/change.ts";
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
  const known = await people.lockByEmail(details.email);
  if (known === undefined) {
    const ids = { id: newId("person", random), workerProfileId: newId("workerProfile", random) };
    await people.createUnlessKnown(ids, details, at);
  }
  const person = known ?? (await people.lockByEmail(details.email));
  if (person === undefined) throw new BeginAgain("Somebody had the address for a moment, and now it is free.");
  if (!details.emailVerified || person.emailVerified) return person;
  await people.verifyAll([person.id]);
  return { ...person, emailVerified: true };
}
