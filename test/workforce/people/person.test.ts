import type { PersonId, WorkerProfileId } from "../../../src/runtime/basis/ids.ts";
import {
  fullName,
  isShownAlike,
  type Person,
  type PersonField,
  personAfter,
} from "../../../src/workforce/people/person.ts";

const BEFORE: Person = {
  id: "person_a" as PersonId,
  workerProfileId: "profile_a" as WorkerProfileId,
  email: "maren@example.com",
  emailVerified: true,
  firstName: "Maren",
  lastName: "Dahl",
  disabled: true,
  createdAt: new Date(0),
};
const GIVEN = { email: "dahl@example.com", firstName: null, lastName: "Berg", emailVerified: false };

describe("a person after an update (R-D2, R-S8)", () => {
  it.each<[title: string, mask: PersonField[], given: Partial<typeof GIVEN>, changed: Partial<Person>, shown: boolean]>(
    [
      ["names", ["first_name", "last_name"], {}, { firstName: null, lastName: "Berg" }, true],
      ["one name", ["last_name"], {}, { lastName: "Berg" }, true],
      ["another address is not verified", ["email"], {}, { email: "dahl@example.com", emailVerified: false }, true],
      [
        "another address that is said to be verified",
        ["email", "email_verified"],
        { emailVerified: true },
        { email: "dahl@example.com" },
        true,
      ],
      [
        "the same address, written differently",
        ["email"],
        { email: "Maren@Example.com" },
        { email: "Maren@Example.com" },
        true,
      ],
      ["whether the address is verified", ["email_verified"], {}, { emailVerified: false }, false],
      ["nothing", ["email", "first_name"], { email: BEFORE.email, firstName: "Maren" as never }, {}, false],
    ],
  )("%s", (_, mask, given, changed, shown) => {
    const after = personAfter(BEFORE, { ...GIVEN, ...given }, new Set(mask));
    expect(after).toEqual({ ...BEFORE, ...changed });
    expect(isShownAlike(BEFORE, after)).toBe(!shown);
  });
});

it.each([
  ["Ines", "Okafor", "Ines Okafor"],
  ["Ines", null, "Ines"],
  [null, "Okafor", "Okafor"],
  [null, null, null],
  [undefined, undefined, null],
  ["", "", null],
  ["Ines", "", "Ines"],
  ["María José", "Núñez", "María José Núñez"],
])("fullName(%p, %p) is %p (R-D2)", (firstName, lastName, whole) => {
  expect(fullName(firstName, lastName)).toBe(whole);
});
