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

/** What is known of a person when a seat is made for them. */
export interface PersonDetails {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The platform vouches for the address (R-S8). */
  readonly emailVerified: boolean;
}
