import { OnboardWorkerRequest, OnboardWorkerResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { workerExists } from "../failures.ts";
import { locationRepository } from "../organization/organization-repository.ts";
import { unitRepository } from "../organization/unit-repository.ts";
import type { EmitPersonChanged } from "../people/changed-person-service.ts";
import { findOrCreatePerson } from "../people/known-person-service.ts";
import { isNamed, type Person } from "../people/person.ts";
import { personRepository } from "../people/person-repository.ts";
import { seatRepository } from "../people/seat-repository.ts";
import { type FieldReader, LENGTHS, readWrite } from "../request-fields.ts";
import { getAndLock } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import type { Worker } from "./worker.ts";
import { hasItsPrimaryUnit, readEmployment } from "./worker-fields.ts";
import { getPlace } from "./worker-place.ts";
import { workerRepository } from "./worker-repository.ts";
import { workerOnboarded } from "./worker-wire.ts";

interface OnboardingDeps {
  readonly changes: WorkforceChanges;
  readonly random: Random;
  readonly emitPersonChanged: EmitPersonChanged;
}

/**
 * Makes a person a worker of a tenant, placed in its units and location, and emits worker.onboarded. Names that the person lacks are
 * taken from the request (R-D2).
 * @throws NOT_FOUND for tenant, units and location; ALREADY_EXISTS (worker_exists) while the person is a worker there;
 * FAILED_PRECONDITION (erased) for a unit.
 */
export const onboardWorker =
  ({ changes, random, emitPersonChanged }: OnboardingDeps) =>
  async (request: OnboardWorkerRequest, call: Call): Promise<OnboardWorkerResponse> => {
    const { tenantId, details, employment } = readWrite(request, (fields) => readOnboarding(fields, request));
    return changes.run(
      async (change) => {
        const { db, at, emit, wrote } = change;
        const [tenants, workers] = [tenantRepository(db), workerRepository(db)];
        const locked = [tenantId, ...(await tenantsToTell(change, details.email))];
        await tenants.lockAll(locked);
        const { instanceId } = await getAndLock(tenants, tenantId);
        const places = { units: unitRepository(db), locations: locationRepository(db) };
        const place = await getPlace(places, employment, tenantId);
        const known = await findOrCreatePerson(personRepository(db), details, random, at);
        const present = await workers.findSeat(tenantId, known.id);
        if (present !== undefined) throw workerExists(present);
        const person = await nameFully(change, known, details);
        const changed = person === known ? [] : await emitPersonChanged(change, person.id, new Set(locked));
        const id = newId("worker", random);
        const worker: Worker = { id, tenantId, person, ...employment, createdAt: at, endedAt: null };
        await workers.createAll([worker]);
        await emit(workerOnboarded({ worker, ...place }, instanceId));
        const written = { actor: call.actor, object: id, facts: { tenantId }, tenants: [tenantId, ...changed] };
        return wrote("worker.onboard", written, { worker });
      },
      repeatable(request, call, OnboardWorkerRequest, OnboardWorkerResponse),
    );
  };

function readOnboarding(fields: FieldReader, request: OnboardWorkerRequest) {
  const tenantId = fields.id("tenant_id", "tenant", request.tenantId);
  const details = {
    email: fields.email("email", request.email),
    firstName: fields.text("first_name", request.firstName, LENGTHS.personName),
    lastName: fields.text("last_name", request.lastName, LENGTHS.personName),
    emailVerified: request.emailVerified,
  };
  const employment = readEmployment(fields, request);
  fields.check(hasItsPrimaryUnit(employment), "primary_unit_id", "must be one of unit_ids", ["unit_ids"]);
  return { tenantId, details, employment };
}

/** The tenants that show the person's names, if these are about to become known. */
async function tenantsToTell({ db }: WorkforceChange, email: string): Promise<readonly Worker["tenantId"][]> {
  const person = await personRepository(db).findByEmail(email);
  return person === undefined || isNamed(person) ? [] : seatRepository(db).listTenants([person.id]);
}

/** Fills in the names that the person lacks; the same person when they lack none (R-D2). */
async function nameFully(
  { db }: WorkforceChange,
  person: Person,
  names: { readonly firstName: string; readonly lastName: string },
): Promise<Person> {
  if (isNamed(person)) return person;
  const named = {
    ...person,
    firstName: person.firstName ?? names.firstName,
    lastName: person.lastName ?? names.lastName,
  };
  await personRepository(db).replaceDetails(person.id, named);
  return named;
}
