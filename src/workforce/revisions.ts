import { isDeepStrictEqual } from "node:util";
import type { InstanceId, IntegrationId, TenantId } from "#runtime/basis/ids.ts";

/** Whose revisions a write raises. */
export interface Raised {
  readonly tenants: readonly TenantId[];
  readonly instances: readonly InstanceId[];
  readonly integrations: readonly IntegrationId[];
  /** All integrations that are connected with the instance: their lists show its name. */
  readonly integrationsOf: InstanceId;
}

/**
 * Every write of workforce under the name that the audit log has for it, and whose revision it raises. Each answer of the gateway belongs
 * to a tenant, an instance or an integration, and its entity tag changes with that revision (R-G10). A write ends by naming its row
 * (writes-service.ts): without one it does not compile, nor without the ids that its row asks for. Nothing else raises a revision.
 */
export const RAISED_BY = {
  "instance.create": [],
  "instance.update": ["instances", "integrationsOf"],
  "integration.create": [],
  // Nothing public shows an integration's name.
  "integration.update": [],
  "instanceIntegration.create": ["integrations"],
  "instanceIntegration.configure": ["integrations"],
  "instanceIntegration.unconfigure": ["integrations"],
  "instanceIntegration.revoke": ["integrations"],
  "apiKey.issue": [],
  "apiKey.revoke": [],
  "tenant.create": ["instances"],
  // The list of the instance's tenants shows name and address too.
  "tenant.update": ["tenants", "instances"],
  "accessRole.create": [],
  // Users show the name of their role, and not what it permits.
  "accessRole.update": ["tenants"],
  "unitType.create": ["tenants"],
  "unitType.update": ["tenants"],
  "unit.create": ["tenants"],
  "unit.update": ["tenants"],
  "location.create": ["tenants"],
  "location.delete": ["tenants"],
  // All tenants where the person has a seat, a deleted or ended one included, when its address or names change (R-D2).
  "person.update": ["tenants"],
  "person.confirmEmail": [],
  "person.disable": [],
  "person.enable": [],
  "person.setLastLoginContext": [],
  "user.invite": ["tenants"],
  "user.signIn": ["tenants"],
  "user.enable": ["tenants"],
  "user.disable": ["tenants"],
  "user.delete": ["tenants"],
  "user.assignManager": ["tenants"],
  "user.assignRole": ["tenants"],
  // When the user gets another role.
  "user.editPermissions": ["tenants"],
  // The other tenants of a person who gets names thereby too (R-D2).
  "worker.onboard": ["tenants"],
  "worker.update": ["tenants"],
  "worker.end": ["tenants"],
  // All tenants where the person has a seat: each shows it without names.
  "person.erase": ["tenants"],
  "user.erase": ["tenants"],
  "worker.erase": ["tenants"],
  // The list of the instance's tenants omits it.
  "tenant.erase": ["instances"],
  "unit.erase": ["tenants"],
  "unitType.erase": ["tenants"],
  "import.store": ["tenants", "instances"],
} as const satisfies Readonly<Record<`${string}.${string}`, readonly (keyof Raised)[]>>;

export type WriteName = keyof typeof RAISED_BY;

/** The ids that a write of that name is asked for; none in a list when nothing that they show has changed. */
export type RaisedBy<W extends WriteName> = Pick<Raised, (typeof RAISED_BY)[W][number]>;

/** True when two values are equal, member by member, whatever made them: an update to what is there already is no write. */
export const isSame = <T>(one: T, other: T): boolean => isDeepStrictEqual(one, other, { skipPrototype: true });

/** A request may name the revision that its caller has the answer of. */
export interface KnownRevision {
  readonly knownRevision?: number | null | undefined;
}

/** What every answer of the gateway's reads says besides. */
export interface Revised {
  /** Grows with each write that may change the answer. */
  readonly revision: number;
  /** The caller has this revision already; the rest of the answer is empty. */
  readonly unchanged: boolean;
}

/**
 * The answer that `read` gives, or an empty one when the caller has the answer of this revision (R-G10). Since the revision was read
 * before, an answer may be newer than its revision says, never older: the caller then asks once more than needed.
 */
export const unlessKnown = async <A extends object>(
  { knownRevision }: KnownRevision,
  revision: number,
  empty: A,
  read: () => Promise<A>,
): Promise<A & Revised> =>
  knownRevision === revision
    ? { ...empty, revision, unchanged: true }
    : { ...(await read()), revision, unchanged: false };

/**
 * The batches that `read` gives of a list, or an empty answer when the caller has that of this revision (R-G10). Each batch is
 * read after the revision was, so it shows every write that the revision counts, and perhaps later ones; so does the list as
 * a whole.
 */
export async function* batchesUnlessKnown<A extends object>(
  { knownRevision }: KnownRevision,
  revision: number,
  empty: A,
  read: () => AsyncIterable<A>,
): AsyncIterable<A & Revised> {
  if (knownRevision === revision) yield { ...empty, revision, unchanged: true };
  else for await (const batch of read()) yield { ...batch, revision, unchanged: false };
}
