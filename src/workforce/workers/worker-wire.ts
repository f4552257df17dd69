import type { ListedWorker, NamedPlace, PlacedWorker } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import { fullName } from "../people/full-name.ts";
import { present, toWireAddress, toWireInstant, type Wire } from "../wire.ts";

/** A worker as version 1 of the gateway shows it (spec §2.3). A worker has both names (R-D2). */
export const toWireWorker = ({ id, firstName, lastName, email, jobTitles, phone, address }: ListedWorker) =>
  ({
    id,
    firstName,
    lastName,
    fullName: present(fullName(firstName, lastName)),
    email,
    jobTitles,
    phone: phone ?? null,
    location: toWireAddress(address),
  }) satisfies Wire["Worker"];

/** A worker as version 2 of the gateway shows it: with where it is placed, and when it ended (R-G6, R-G16). */
export function toWireWorkerV2(placed: PlacedWorker): Wire["WorkerV2"] {
  return {
    ...toWireWorker(present(placed.worker)),
    organizationUnits: placed.units.map(toWirePlace),
    organizationUnit: placed.primaryUnit && toWirePlace(placed.primaryUnit),
    organizationLocation: placed.location && toWirePlace(placed.location),
    endedAt: placed.endedAt ? toWireInstant(placed.endedAt) : null,
  };
}

const toWirePlace = ({ id, name }: NamedPlace) => ({ id, name });
