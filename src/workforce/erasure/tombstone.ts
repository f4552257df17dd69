import { type PersonId, randomCharacters, type TenantId, type UserId, type WorkerId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Redaction } from "#runtime/erasure/redaction.ts";
import { fullName } from "../people/person.ts";
import { NO_ADDRESS } from "../postal-address.ts";

/** What is shown where a name was (R-X262). */
export const ERASED_NAME = {
  tenant: "Erased company",
  unit: "Erased unit",
  unitType: "Erased unit type",
  location: "Erased location",
  role: "Erased role",
} as const;

/** Both names, since every worker has both (R-D2). */
export const ERASED_PERSON = { firstName: "Erased", lastName: "person" } as const;

/** Where no mail arrives (RFC 2606 §2). */
const NOWHERE = "erased.invalid";

/** An address that says nothing and belongs to no second person, so that what is keyed by addresses stays apart. */
export const erasedAddress = (random: Random): string =>
  `erased-${randomCharacters(random, 21).toLowerCase()}@${NOWHERE}`;

/** What no address can be, so that an erased person is found by none. */
export const erasedAddressKey = (id: PersonId): string => `erased ${id}`;

/** What events show of an erased person's seats; by the members of the snapshots (spec §6). */
const shownPerson = (email: string) => ({
  email,
  ...ERASED_PERSON,
  fullName: fullName(ERASED_PERSON.firstName, ERASED_PERSON.lastName),
});

export const redactedUser = (id: UserId, email: string): Redaction => ({
  id,
  namedBy: ["userId", "id"],
  members: { ...shownPerson(email), manager: null, role: null },
  deep: false,
});

const NO_EMPLOYMENT = {
  jobTitles: [],
  phone: null,
  location: NO_ADDRESS,
  organizationUnits: [],
  organizationUnit: null,
  organizationLocation: null,
};

export const redactedWorker = (id: WorkerId, email: string): Redaction => ({
  id,
  namedBy: ["workerId", "id"],
  members: { ...shownPerson(email), ...NO_EMPLOYMENT },
  deep: false,
});

/** Events name no person; remembered answers do. */
export const redactedPerson = (id: PersonId): Redaction => ({ id, namedBy: ["id"], members: {}, deep: false });

export const redactedPlace = ({ kind, id }: { readonly kind: "unit" | "unitType"; readonly id: string }): Redaction =>
  kind === "unit"
    ? {
        id,
        namedBy: ["organizationUnitId", "id"],
        members: { name: ERASED_NAME.unit, unitCode: null, description: null },
        deep: false,
      }
    : { id, namedBy: ["organizationUnitTypeId", "id"], members: { name: ERASED_NAME.unitType }, deep: false };

/** Everything that is named in an event of the tenant belongs to it. */
export const redactedTenant = (id: TenantId): Redaction => ({
  id,
  namedBy: ["clientId"],
  members: {
    ...shownPerson(`erased@${NOWHERE}`),
    ...NO_EMPLOYMENT,
    name: ERASED_NAME.tenant,
    address: NO_ADDRESS,
    manager: null,
    role: null,
    unitCode: null,
    description: null,
  },
  deep: true,
});
