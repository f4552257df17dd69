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
