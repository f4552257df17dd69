import { fullName } from "../../../src/workforce/people/person.ts";

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
