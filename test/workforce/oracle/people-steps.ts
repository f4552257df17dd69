import type { Model, ModelPerson } from "./model.ts";
import { type ModelEvent, userEvent, workerEvent } from "./model-events.ts";
import { addressOf, type Meant, personOf, pick } from "./stage.ts";

export const updatePerson: Meant = (stage, { picks, words, flags }) => {
  const { workforce, model } = stage;
  const person = pick(model.people, picks[0]);
  if (person === undefined) return undefined;
  const updateMask = [
    ...(flags[0] ? ["email"] : []),
    ...(flags[1] ? ["first_name"] : []),
    ...(flags[2] || !(flags[0] || flags[1]) ? ["last_name"] : []),
  ];
  const next = {
    email: updateMask.includes("email") ? addressOf(stage, picks[1]) : person.email,
    first: updateMask.includes("first_name") ? (flags[3] ? null : (words[0] ?? null)) : person.first,
    last: updateMask.includes("last_name") ? (flags[4] ? null : (words[1] ?? null)) : person.last,
  };
  const employed = model.workers.some(({ personId }) => personId === person.id);
  const owner = personOf(model, next.email);
  return {
    call: (requestId) =>
      workforce.platform.updatePerson({
        requestId,
        personId: person.id,
        updateMask,
        email: next.email,
        firstName: next.first,
        lastName: next.last,
        emailVerified: false,
      }),
    outcome:
      employed && (next.first === null || next.last === null)
        ? "names_needed"
        : owner !== undefined && owner.id !== person.id
          ? "person_exists"
          : () => {
              const same = person.email === next.email && person.first === next.first && person.last === next.last;
              Object.assign(person, next);
              return same ? [] : toldOf(model, person);
            },
  };
};

/** R-D2. */
export const toldOf = (model: Model, { id }: ModelPerson): ModelEvent[] => [
  ...model.users
    .filter(({ personId, status }) => personId === id && status !== "DELETED")
    .map((user) => userEvent(model, "user.updated", user)),
  ...model.workers
    .filter(({ personId }) => personId === id)
    .map((worker) => workerEvent(model, "worker.updated", worker)),
];

const disabling =
  (disabled: boolean): Meant =>
  ({ workforce: { platform }, model }, { picks }) => {
    const person = pick(model.people, picks[0]);
    if (person === undefined) return undefined;
    return {
      call: (requestId) =>
        disabled
          ? platform.disablePerson({ requestId, personId: person.id })
          : platform.enablePerson({ requestId, personId: person.id }),
      outcome: () => {
        person.disabled = disabled;
        return [];
      },
    };
  };

export const disablePerson: Meant = disabling(true);

export const enablePerson: Meant = disabling(false);
