import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import type { Person, PersonHistory } from "./person.ts";

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

/** The columns of a person's history. */
export const HISTORY_COLUMNS = ["workforce_people.enabled_at", "workforce_people.email_changed_at"] as const;

export const toHistory = (row: {
  readonly enabled_at?: number | null | undefined;
  readonly email_changed_at?: number | null | undefined;
}): PersonHistory => ({ enabledAt: toInstant(row.enabled_at), emailChangedAt: toInstant(row.email_changed_at) });

const toInstant = (at: number | null | undefined): Date | undefined =>
  at === null || at === undefined ? undefined : new Date(at);

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
