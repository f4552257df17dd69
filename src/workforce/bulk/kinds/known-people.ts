import { emailKey } from "#runtime/basis/email-address.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import { newId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../../failures.ts";
import { isNamed, type Person } from "../../people/person.ts";
import type { PersonReference } from "../lines/person-line.ts";
import type { ImportBatch } from "./import-batch.ts";

/** The people whom references name. */
export const peopleOf = (references: readonly PersonReference[]) => ({
  id: references.flatMap((one) => ("personId" in one ? [one.personId] : [])),
  email_key: references.flatMap((one) => ("details" in one ? [emailKey(one.details.email)] : [])),
});

/** The people whom the lines of one run are about: those there are, and those that the run makes (R-D2). */
export class KnownPeople {
  readonly #byId = new Map<string, Person>();
  readonly #byEmail = new Map<string, Person>();
  readonly #created = new Set<string>();
  readonly #verified = new Set<Person["id"]>();
  readonly #named = new Set<string>();
  readonly #batch: ImportBatch;

  private constructor(batch: ImportBatch, people: readonly Person[]) {
    this.#batch = batch;
    for (const person of people) this.#know(person);
  }

  static async of(batch: ImportBatch, references: readonly PersonReference[]): Promise<KnownPeople> {
    const { people } = batch.repositories;
    const found = await people.lockAll(peopleOf(references));
    // An erased person gets no seat any more.
    const erased = await people.listErased(found.map(({ id }) => id));
    return new KnownPeople(
      batch,
      found.filter(({ id }) => !erased.has(id)),
    );
  }

  get ids(): readonly Person["id"][] {
    return [...this.#byId.values()].map(({ id }) => id);
  }

  /** The person as they will be once the line is taken; nothing is kept of that before `admit`. @throws NOT_FOUND (person_not_found). */
  resolve(reference: PersonReference, createdAt: Date): Person {
    if ("personId" in reference) {
      const person = this.#byId.get(reference.personId);
      if (person === undefined) throw unknownReference("person", "personId", reference.personId);
      return person;
    }
    const { details } = reference;
    const known = this.#byEmail.get(emailKey(details.email));
    if (known !== undefined) return { ...known, emailVerified: known.emailVerified || details.emailVerified };
    const { random } = this.#batch;
    const ids = { id: newId("person", random), workerProfileId: newId("workerProfile", random) };
    return { ...ids, ...details, disabled: false, createdAt };
  }

  /**
   * `resolve` for a worker: names that the person lacks are taken from the line.
   * @throws NOT_FOUND (person_not_found); FAILED_PRECONDITION (person_unnamed).
   */
  resolveNamed(reference: PersonReference, createdAt: Date): Person {
    const person = this.resolve(reference, createdAt);
    if (isNamed(person)) return person;
    if ("personId" in reference)
      throw failedPrecondition(
        "person_unnamed",
        "The person lacks a name, and a worker has both. Give email, firstName and lastName instead of personId.",
      );
    const { firstName, lastName } = reference.details;
    return { ...person, firstName: person.firstName ?? firstName, lastName: person.lastName ?? lastName };
  }

  /** Keeps a person whom `resolve` gave, for the lines that follow and for `write`. */
  admit(person: Person): void {
    const known = this.#byId.get(person.id);
    if (known === undefined) this.#created.add(person.id);
    else if (!this.#created.has(person.id)) {
      if (person.emailVerified && !known.emailVerified) this.#verified.add(person.id);
      if (isNamed(person) && !isNamed(known)) this.#named.add(person.id);
    }
    this.#know(person);
  }

  async write(): Promise<void> {
    const { repositories, fillNames } = this.#batch;
    await repositories.people.createAll([...this.#created].map((id) => this.#get(id)));
    await repositories.people.verifyAll([...this.#verified]);
    for (const id of this.#named) await fillNames(this.#get(id));
  }

  #know(person: Person): void {
    this.#byId.set(person.id, person);
    this.#byEmail.set(emailKey(person.email), person);
  }

  #get(id: string): Person {
    const person = this.#byId.get(id);
    if (person === undefined) throw new Error("A person that was admitted is not known.");
    return person;
  }
}
