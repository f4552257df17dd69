import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import type { Person } from "./person.ts";

/** The columns of a person as every repository that shows one reads them, under names that collide with nothing. */
export const PERSON_COLUMNS = [
  "workforce_people.id as person_id",
  "workforce_people.worker_profile_id",
  "workforce_people.email",
  "workforce_people.email_verified",
  "workforce_people.first_name",
  "workforce_people.last_name",
  "workforce_people.disabled",
  "workforce_people.created_at as person_created_at",
] as const;

/** A row that was read with PERSON_COLUMNS. */
export interface PersonRow {
  readonly person_id: PersonId;
  readonly worker_profile_id: WorkerProfileId;
  readonly email: string;
  readonly email_verified: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly disabled: number;
  readonly person_created_at: number;
}

export const toPerson = (row: PersonRow): Person => ({
  id: row.person_id,
  workerProfileId: row.worker_profile_id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  firstName: row.first_name,
  lastName: row.last_name,
  disabled: row.disabled === 1,
  createdAt: new Date(row.person_created_at),
});
