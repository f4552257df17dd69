import {
  type DescribedPerson,
  type DescribePeopleRequest,
  type DescribePeopleResponse,
  SeatKind,
  SeatState,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { isEmailAddress } from "../email-address.ts";
import { admits, type MembershipDeps } from "./membership.ts";
import type { Person } from "./person.ts";
import type { PersonRepository } from "./person-repository.ts";

const NAMESAKES_MAX = 10;
const SEATS_MAX = 100;

/** The people whom a key names, with their seats; for operators, by way of sign-on. Unknown ones are no failure. */
export const describePeople =
  ({ people, seats }: MembershipDeps) =>
  async ({ key }: DescribePeopleRequest): Promise<DescribePeopleResponse> => {
    const named = await peopleOf(people, key);
    return { people: await Promise.all(named.map((person) => describe({ people, seats }, person))) };
  };

async function peopleOf(people: PersonRepository, key: DescribePeopleRequest["key"]): Promise<readonly Person[]> {
  switch (key?.$case) {
    case "personId": {
      const id = parseId("person", key.value);
      return ifFound(id && (await people.find(id)));
    }
    case "email":
      return ifFound(isEmailAddress(key.value.trim()) ? await people.findByEmail(key.value) : undefined);
    case "name":
      return key.value.trim() === "" ? [] : people.listByName(key.value, NAMESAKES_MAX);
    default:
      return [];
  }
}

const ifFound = (person: Person | undefined): readonly Person[] => (person === undefined ? [] : [person]);

async function describe({ people, seats }: MembershipDeps, person: Person): Promise<DescribedPerson> {
  const { email, emailVerified, firstName, lastName, disabled } = person;
  const history = await people.findWithHistory(person.id);
  const all = await seats.describe(person.id, SEATS_MAX);
  return {
    personId: person.id,
    email,
    emailVerified,
    firstName,
    lastName,
    disabled,
    enabledAt: history?.enabledAt ?? null,
    seats: all.map(({ kind, state, ...seat }) => ({
      ...seat,
      kind: SeatKind[kind],
      state: SeatState[state],
      admits: admits(state),
    })),
  };
}
