import type { NamedPlace, PlacedWorker } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { Worker } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { fullName } from "../people/full-name.ts";
import { present, toWireAddress, toWireInstant, type Wire } from "../wire.ts";

/** A worker as version 1 of the gateway shows it (spec §2.3). The person of a worker has both names (R-D2). */
export function toWireWorker(worker: Worker): Wire["Worker"] {
  const { email, firstName, lastName } = present(worker.person);
  return {
    id: worker.id,
    firstName: present(firstName),
    lastName: present(lastName),
    fullName: present(fullName(firstName, lastName)),
    email,
    jobTitles: worker.jobTitles,
    phone: worker.phone ?? null,
    location: toWireAddress(worker.address),
  };
}

/** A worker as version 2 of the gateway shows it: with where it is placed, and when it ended (R-G6, R-G16). */
export function toWireWorkerV2(placed: PlacedWorker): Wire["WorkerV2"] {
  const worker = present(placed.worker);
  return {
    ...toWireWorker(worker),
    organizationUnits: placed.units.map(toWirePlace),
    organizationUnit: placed.primaryUnit && toWirePlace(placed.primaryUnit),
    organizationLocation: placed.location && toWirePlace(placed.location),
    endedAt: worker.endedAt ? toWireInstant(worker.endedAt) : null,
  };
}

const toWirePlace = ({ id, name }: NamedPlace) => ({ id, name });
