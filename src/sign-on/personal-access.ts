import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";

/** Whose access to what: the person, application and instance of a consent, of codes and of tokens. */
export interface PersonalAccess {
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
}

/** The session that codes and token families were issued from, and its person. */
export interface IssuingSession {
  readonly digest: Buffer;
  readonly personId: PersonId;
}
