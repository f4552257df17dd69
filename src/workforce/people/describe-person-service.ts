import {
  type DescribedPerson,
  type DescribePersonRequest,
  type DescribePersonResponse,
  SeatKind,
  SeatState,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { type Person, type PersonHistory, personKeyOf } from "./person.ts";
import type { PersonRepository } from "./person-repository.ts";
import { admits } from "./seat.ts";
import type { SeatRepository } from "./seat-repository.ts";

interface DescribeDeps {
  readonly people: PersonRepository;
  readonly seats: SeatRepository;
}

const SEATS_MAX = 100;

/** A person with all seats; for operators, by way of sign-on. An unknown one is not a failure. */
export const describePerson =
  ({ people, seats }: DescribeDeps) =>
  async ({ key }: DescribePersonRequest): Promise<DescribePersonResponse> => {
    const named = personKeyOf(key);
    const person = named && (await people.findWithHistory(named));
    return { person: person === undefined ? null : await describe({ people, seats }, person) };
  };

async function describe({ people, seats }: DescribeDeps, person: Person & PersonHistory): Promise<DescribedPerson> {
  const { email, emailVerified, firstName, lastName, disabled, enabledAt } = person;
  const all = await seats.describe(person.id, SEATS_MAX);
  return {
    personId: person.id,
    email,
    emailVerified,
    firstName,
    lastName,
    disabled,
    erased: (await people.listErased([person.id])).has(person.id),
    enabledAt: enabledAt ?? null,
    seats: all.map(({ kind, state, ...seat }) => ({
      ...seat,
      kind: SeatKind[kind],
      state: SeatState[state],
      admits: admits(state),
    })),
  };
}
