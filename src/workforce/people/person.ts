import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";

/** A human being: owns the e-mail address and the names that users and workers show (R-D1, R-D2). */
export interface Person {
  readonly id: PersonId;
  readonly workerProfileId: WorkerProfileId;
  /** As given, without surrounding spaces. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null only while the person has no worker. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** From when on what sign-on holds of a person counts. */
export interface PersonHistory {
  /** When last enabled again: what was proven or handed out before is over (R-X93). */
  readonly enabledAt: Date | undefined;
  /** When the e-mail address was last changed: what was handed out for another one is over (R-S8). */
  readonly emailChangedAt: Date | undefined;
}

/** True when somebody with these names may be a worker (R-D2). */
export const isNamed = ({ firstName, lastName }: Pick<Person, "firstName" | "lastName">): boolean =>
  firstName !== null && lastName !== null;

/** What others tell about a person. */
export interface PersonDetails {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The platform vouches for the address (R-S8). */
  readonly emailVerified: boolean;
}
