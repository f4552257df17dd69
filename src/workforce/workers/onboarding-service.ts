import { OnboardWorkerRequest, OnboardWorkerResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { organizationRepository } from "../organization/organization-repository.ts";
import { findOrCreatePerson } from "../people/known-person.ts";
import { isNamed, type Person } from "../people/person.ts";
import { personRepository } from "../people/person-repository.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { type FieldReader, LENGTHS, readWrite } from "../request-fields.ts";
import { seatRepository } from "../seats/seat-repository.ts";
import { workerExists } from "../seats/taken-seat.ts";
import { tellSeats } from "../seats/told-seats-service.ts";
import type { WorkforceTables } from "../tables.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { Worker } from "./worker.ts";
import { workerRepository } from "./worker-repository.ts";

export interface OnboardingDeps {
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

const JOB_TITLES_MAX = 20;
const UNITS_MAX = 100;

/**
 * Makes a person a worker of a tenant, placed in its units and location. Names that the person lacks are taken from the request (R-D2).
 * @throws NOT_FOUND for tenant, units and location; ALREADY_EXISTS (worker_exists) while the person is a worker there.
 */
export const onboardWorker =
  ({ changes, random }: OnboardingDeps) =>
  async (request: OnboardWorkerRequest, call: Call): Promise<OnboardWorkerResponse> => {
    const { tenantId, details, seat } = readWrite(request, (fields) => readOnboarding(fields, request));
    return changes.run(
      async (change) => {
        const { db, at, audit } = change;
        const [tenants, workers] = [tenantRepository(db), workerRepository(db)];
        await tenants.lockAll([tenantId, ...(await tenantsToTell(change, details.email))]);
        if (!(await tenants.lock(tenantId))) throw unknownReference("tenant", "tenant_id", tenantId);
        await assertPlace(change, seat, tenantId);
        const known = await findOrCreatePerson(personRepository(db), details, random, at);
        const present = await workers.findSeat(tenantId, known.id);
        if (present !== undefined) throw workerExists(present);
        const person = await nameFully(change, known, details);
        const worker: Worker = { id: newId("worker", random), tenantId, person, ...seat, createdAt: at, endedAt: null };
        await workers.create(worker);
        await tenants.raiseRevision(tenantId);
        await audit({ actor: call.peer, action: "worker.onboard", object: worker.id, facts: { tenantId } });
        return { worker };
      },
      repeatable(request, call, OnboardWorkerRequest, OnboardWorkerResponse),
    );
  };

function readOnboarding(fields: FieldReader, request: OnboardWorkerRequest) {
  const unitIds = fields.ids("unit_ids", "organizationUnit", request.unitIds, UNITS_MAX);
  const primaryUnitId = fields.optionalId("primary_unit_id", "organizationUnit", request.primaryUnitId);
  fields.check(primaryUnitId === null || unitIds.includes(primaryUnitId), "primary_unit_id", "must be one of unit_ids");
  return {
    tenantId: fields.id("tenant_id", "tenant", request.tenantId),
    details: {
      email: fields.email("email", request.email),
      firstName: fields.text("first_name", request.firstName, LENGTHS.personName),
      lastName: fields.text("last_name", request.lastName, LENGTHS.personName),
      emailVerified: request.emailVerified,
    },
    seat: {
      jobTitles: fields.texts("job_titles", request.jobTitles, LENGTHS.jobTitle, JOB_TITLES_MAX),
      phone: fields.optionalText("phone", request.phone, LENGTHS.phone),
      address: fields.address("address", request.address),
      unitIds,
      primaryUnitId,
      locationId: fields.optionalId("location_id", "organizationLocation", request.locationId),
    },
  };
}

/** @throws NOT_FOUND naming the first unit, or the location, that the tenant does not have. */
async function assertPlace(
  { db }: Change<WorkforceTables>,
  { unitIds, locationId }: Pick<Worker, "unitIds" | "locationId">,
  tenantId: Worker["tenantId"],
): Promise<void> {
  const organization = organizationRepository(db);
  const known = await organization.knownUnits(unitIds, tenantId);
  const unknown = unitIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownReference("unit", "unit_ids", unknown);
  if (locationId !== null && !(await organization.hasLocation(locationId, tenantId)))
    throw unknownReference("location", "location_id", locationId);
}

/** The tenants that show the person's names, if these are about to become known. */
async function tenantsToTell({ db }: Change<WorkforceTables>, email: string): Promise<readonly Worker["tenantId"][]> {
  const person = await personRepository(db).findByEmail(email);
  return person === undefined || isNamed(person) ? [] : seatRepository(db).listTenants(person.id);
}

/** Fills in the names that the person lacks; each of the person's users shows them and tells so (R-D2). */
async function nameFully(
  change: Change<WorkforceTables>,
  person: Person,
  names: { readonly firstName: string; readonly lastName: string },
): Promise<Person> {
  if (isNamed(person)) return person;
  const named = {
    ...person,
    firstName: person.firstName ?? names.firstName,
    lastName: person.lastName ?? names.lastName,
  };
  await personRepository(change.db).replaceDetails(person.id, named);
  await tellSeats(change, person.id);
  return named;
}
