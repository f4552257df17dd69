import type { Worker } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { fullName } from "../people/full-name.ts";
import { present, toWireAddress, type Wire } from "../wire.ts";

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
