import { emailKey } from "#runtime/basis/email-address.ts";
import { alreadyExists } from "#runtime/basis/errors.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { LineOf } from "../lines/line.ts";
import { toPersonLine } from "../lines/person-line.ts";
import type { ImportBatch } from "./import-batch.ts";
import { byId, importRun, type Verdict } from "./import-run.ts";

/** The people whom lines make, and those who have what is to be theirs. */
export const peopleOfLines = (lines: readonly LineOf<"person">[]) => ({
  id: lines.map(({ id }) => id),
  email_key: lines.map(({ email }) => emailKey(email)),
  worker_profile_id: lines.map(({ workerProfileId }) => workerProfileId).filter((id) => id !== null),
});

/** Creates people; an e-mail address belongs to one of them (R-D2). */
export async function importPeople(
  lines: readonly LineOf<"person">[],
  { repositories: { people }, at, random }: ImportBatch,
): Promise<Verdict[]> {
  const found = await people.lockAll(peopleOfLines(lines));
  const stored = byId(found);
  const owners = new Map(found.map((person) => [emailKey(person.email), person.id]));
  const profiles = new Map(found.map((person) => [person.workerProfileId, person.id]));
  return importRun(lines, at, {
    noun: "The person",
    stored,
    toLine: toPersonLine,
    make: ({ workerProfileId, ...given }, createdAt) => ({
      ...given,
      workerProfileId: workerProfileId ?? stored.get(given.id)?.workerProfileId ?? newId("workerProfile", random),
      createdAt,
    }),
    admit({ id, email, workerProfileId }) {
      const owner = owners.get(emailKey(email));
      if (owner !== undefined)
        throw alreadyExists("person_exists", `The person ${owner} has this e-mail address. Correct email or id.`);
      if (profiles.has(workerProfileId))
        throw alreadyExists("profile_exists", "Another person has this worker profile. Correct workerProfileId.");
      owners.set(emailKey(email), id);
      profiles.set(workerProfileId, id);
    },
    create: (created) => people.createAll(created),
  });
}
