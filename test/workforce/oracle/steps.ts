import fc from "fast-check";
import { disablePerson, enablePerson, updatePerson } from "./people-steps.ts";
import type { Meaning, Meant, Stage, Step } from "./stage.ts";
import {
  createLocation,
  createUnit,
  createUnitType,
  deleteLocation,
  updateUnit,
  updateUnitType,
} from "./structure-steps.ts";
import { configure, createTenant, updateInstance, updateTenant } from "./tenant-steps.ts";
import {
  assignManager,
  assignRole,
  createRole,
  deleteUser,
  disableUser,
  editPermissions,
  enableUser,
  inviteUser,
  signIn,
  updateRole,
} from "./user-steps.ts";
import { endWorker, onboardWorker, updateWorker } from "./worker-steps.ts";

const WORDS = ["Ærlig", "Bakery", "Night", "日本", "Rye", "O'Neil", "Zoë", "x"] as const;

/** Commoner ones are listed more than once. */
const KINDS = [
  "createTenant",
  "updateTenant",
  "updateInstance",
  "inviteUser",
  "inviteUser",
  "inviteUser",
  "signIn",
  "signIn",
  "enableUser",
  "disableUser",
  "deleteUser",
  "assignManager",
  "assignManager",
  "assignRole",
  "assignRole",
  "createRole",
  "updateRole",
  "editPermissions",
  "editPermissions",
  "updatePerson",
  "updatePerson",
  "disablePerson",
  "enablePerson",
  "onboardWorker",
  "onboardWorker",
  "onboardWorker",
  "updateWorker",
  "updateWorker",
  "updateWorker",
  "endWorker",
  "createUnitType",
  "updateUnitType",
  "createUnit",
  "createUnit",
  "updateUnit",
  "updateUnit",
  "createLocation",
  "createLocation",
  "deleteLocation",
  "configure",
] as const;

type Kind = (typeof KINDS)[number];

const anyStep: fc.Arbitrary<Step & { readonly kind: Kind }> = fc.record({
  kind: fc.constantFrom(...KINDS),
  picks: fc.array(fc.nat(50), { minLength: 6, maxLength: 6 }),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 3 }),
  flags: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  repeated: fc.boolean(),
});

/** What every run begins with, so that the steps that follow have something to be about. */
const BEGINNING: readonly Kind[] = [
  "createTenant",
  "createTenant",
  "createTenant",
  "inviteUser",
  "inviteUser",
  "inviteUser",
  "inviteUser",
  "createUnitType",
  "createUnitType",
  "createLocation",
  "createLocation",
  "onboardWorker",
  "onboardWorker",
];

/** Steps that mean something nearly always: a beginning, then whatever comes. */
export const anySteps = (count: number): fc.Arbitrary<(Step & { readonly kind: Kind })[]> =>
  fc
    .tuple(
      fc.array(anyStep, { minLength: BEGINNING.length, maxLength: BEGINNING.length }),
      fc.array(anyStep, { minLength: 5, maxLength: count, size: "max" }),
    )
    .map(([first, rest]) => [
      ...first.map((step, index) => ({ ...step, kind: BEGINNING[index] ?? step.kind })),
      ...rest,
    ]);

/** What the step means here and now; `undefined` when there is nothing that it could be about. */
export function meaningOf(stage: Stage, step: Step & { readonly kind: Kind }): Meaning | undefined {
  return MEANINGS[step.kind](stage, step);
}

const MEANINGS: Readonly<Record<Kind, Meant>> = {
  createTenant,
  updateTenant,
  updateInstance,
  inviteUser,
  signIn,
  enableUser,
  disableUser,
  deleteUser,
  assignManager,
  assignRole,
  createRole,
  updateRole,
  editPermissions,
  updatePerson,
  disablePerson,
  enablePerson,
  onboardWorker,
  updateWorker,
  endWorker,
  createUnitType,
  updateUnitType,
  createUnit,
  updateUnit,
  createLocation,
  deleteLocation,
  configure,
};
