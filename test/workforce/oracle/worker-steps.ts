import { there } from "../workforce-fixture.ts";
import { type Model, type ModelPerson, type ModelWorker, ofTenant } from "./model.ts";
import { workerEvent } from "./model-events.ts";
import { toldOf } from "./people-steps.ts";
import {
  addressOf,
  type Meaning,
  type Meant,
  NO_ADDRESS,
  personOf,
  pick,
  type Stage,
  type Step,
  withTenant,
} from "./stage.ts";

/** Some of the tenant's units, in an order of the step's own, and one of them or none as the primary one. */
export function placeIn(model: Model, tenantId: string, { picks, flags }: Step) {
  const units = ofTenant(model.units, tenantId);
  const unitIds = [...new Set([pick(units, picks[2])?.id, pick(units, picks[3])?.id])].filter((id) => id !== undefined);
  const chosen = flags[2] ? unitIds : unitIds.slice(0, 1);
  return {
    unitIds: flags[3] ? [] : chosen,
    primaryUnitId: flags[3] || flags[4] ? null : (chosen.at(-1) ?? null),
    locationId: flags[5] ? null : (pick(ofTenant(model.locations, tenantId), picks[4])?.id ?? null),
  };
}

export const onboardWorker = withTenant((stage, step, tenant) => {
  const { workforce, model } = stage;
  const { picks, words, flags } = step;
  const email = addressOf(stage, picks[1]);
  const known = personOf(model, email);
  const [first = "", last = ""] = words;
  const place = placeIn(model, tenant.id, step);
  const seat = {
    jobTitles: flags[0] ? ["Baker", words[2] ?? ""] : [],
    phone: flags[1] ? "+31 10 555 0142" : null,
    address: flags[1] ? { ...NO_ADDRESS, city: words[2] ?? "" } : NO_ADDRESS,
    ...place,
  };
  const taken = model.workers.some(
    ({ tenantId, personId, endedAt }) => tenantId === tenant.id && personId === known?.id && endedAt === null,
  );
  return {
    call: (requestId) =>
      workforce.platform.onboardWorker({
        requestId,
        tenantId: tenant.id,
        email,
        firstName: first,
        lastName: last,
        emailVerified: false,
        ...seat,
        jobTitles: [...seat.jobTitles],
        unitIds: [...seat.unitIds],
      }),
    outcome: taken
      ? "worker_exists"
      : ({ worker }: { worker: { id: string; person: { id: string } } }, at) => {
          const person: ModelPerson = known ?? { id: worker.person.id, email, first, last, disabled: false };
          if (known === undefined) model.people.push(person);
          const wasNameless = person.first === null || person.last === null;
          person.first ??= first;
          person.last ??= last;
          const renamed = wasNameless ? toldOf(model, person) : [];
          const made = {
            id: worker.id,
            tenantId: tenant.id,
            personId: person.id,
            ...seat,
            createdAt: at,
            endedAt: null,
          };
          model.workers.push(made);
          return [...renamed, workerEvent(model, "worker.onboarded", made)];
        },
  };
});

export const withWorker =
  (meant: (stage: Stage, step: Step, worker: ModelWorker) => Meaning | undefined): Meant =>
  (stage, step) => {
    const worker = pick(stage.model.workers, step.picks[0]);
    return worker && meant(stage, step, worker);
  };

export const WORKER_FIELDS = ["job_titles", "phone", "address.city", "location_id", "unit_ids"] as const;

export const updateWorker = withWorker(({ workforce, model }, step, worker) => {
  const { picks, words, flags } = step;
  const place = placeIn(model, worker.tenantId, step);
  const fields = new Set([there(pick(WORKER_FIELDS, picks[1])), there(pick(WORKER_FIELDS, picks[5]))]);
  const updateMask = [...fields, ...(fields.has("unit_ids") && flags[0] ? ["primary_unit_id"] : [])];
  const given = { jobTitles: flags[1] ? ["Baker"] : [], phone: words[0] ?? "", city: words[1] ?? "" };
  return {
    call: (requestId) =>
      workforce.platform.updateWorker({
        requestId,
        workerId: worker.id,
        updateMask,
        jobTitles: [...given.jobTitles],
        phone: given.phone,
        address: { ...NO_ADDRESS, city: given.city },
        unitIds: [...place.unitIds],
        primaryUnitId: place.primaryUnitId,
        locationId: place.locationId,
      }),
    outcome:
      worker.endedAt !== null
        ? "worker_ended"
        : () => {
            const before = JSON.stringify(worker);
            if (fields.has("job_titles")) worker.jobTitles = given.jobTitles;
            if (fields.has("phone")) worker.phone = given.phone;
            if (fields.has("address.city")) worker.address = { ...worker.address, city: given.city };
            if (fields.has("location_id")) worker.locationId = place.locationId;
            if (fields.has("unit_ids")) {
              worker.unitIds = place.unitIds;
              const stays = worker.primaryUnitId !== null && place.unitIds.includes(worker.primaryUnitId);
              worker.primaryUnitId = flags[0] ? place.primaryUnitId : stays ? worker.primaryUnitId : null;
            }
            return JSON.stringify(worker) === before ? [] : [workerEvent(model, "worker.updated", worker)];
          },
  };
});

export const endWorker = withWorker(({ workforce, model }, _, worker) => ({
  call: (requestId) => workforce.platform.endWorker({ requestId, workerId: worker.id }),
  outcome: (_answer, at) => {
    if (worker.endedAt !== null) return [];
    worker.endedAt = at;
    return [workerEvent(model, "worker.updated", worker)];
  },
}));
