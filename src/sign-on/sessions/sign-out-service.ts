import type { PersonId } from "#runtime/basis/ids.ts";
import type { Transaction } from "#runtime/database/database.ts";
import type { CodeExpiryRepository } from "../authorization-codes/code-expiry-repository.ts";
import type { FamilyRevocationRepository } from "../refresh-tokens/family-revocation-repository.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import type { SignOnTables } from "../tables.ts";
import type { SessionRepository, SignOnSession } from "./session-repository.ts";

type EndedSession = Pick<SignOnSession, "digest" | "personId">;

/**
 * Ends sessions with everything issued from them. The order is always sessions, codes, families: the next statement
 * then sees a code that is being issued or spent at this moment.
 */
export interface SignOuts {
  /**
   * Ends one session and what was issued from it without `offline_access` (R-S20). `false`, with nothing written, when
   * it had ended before.
   */
  ofSession(tx: Transaction<SignOnTables>, session: EndedSession, at: Date): Promise<boolean>;
  /** Ends what `ofSession` would have, of a session that the sweep has removed. `false` when nothing of it was left. */
  ofRemoved(tx: Transaction<SignOnTables>, session: EndedSession, at: Date): Promise<boolean>;
  /**
   * Ends everything of the person: sessions, codes, families, `offline_access` or not.
   * @param keptSession Digest of the one session that is kept; without it all end.
   */
  everywhere(
    tx: Transaction<SignOnTables>,
    personId: PersonId,
    because: string,
    at: Date,
    keptSession?: Buffer,
  ): Promise<void>;
  /**
   * Ends the browser's old session because a new one begins there (S12). For the same person the new one takes over what was issued, so that
   * signing out later still ends it; for another person the old one is signed out. Of two sign-ins at once each keeps its
   * session: which cookie the browser has kept is not known here, and the other session ends when it is idle.
   * @returns whether another person was signed out by it.
   */
  replace(tx: Transaction<SignOnTables>, old: EndedSession, next: EndedSession, at: Date): Promise<boolean>;
  /**
   * Lets the new session take over what was issued from one that the sweep has removed, as far as it is the same
   * person's. Of another person nothing is known any more.
   */
  replaceRemoved(tx: Transaction<SignOnTables>, oldDigest: Buffer, next: EndedSession, at: Date): Promise<void>;
}

interface SignOutDeps {
  readonly sessions: Pick<SessionRepository, "end" | "endAllOf" | "lockAllOf">;
  readonly codeExpiry: Pick<CodeExpiryRepository, "expireOfSession" | "expireAllOf">;
  readonly families: Pick<TokenFamilyRepository, "moveToSession">;
  readonly revocations: Pick<FamilyRevocationRepository, "lockAllOf" | "revokeOfSession" | "revokeAllOf">;
}

export function createSignOuts({ sessions, codeExpiry, families, revocations }: SignOutDeps): SignOuts {
  /** In the order of `everywhere`: of a session that was removed there is no row to wait at. */
  const lockAllOf = async (
    tx: Transaction<SignOnTables>,
    { personId }: Pick<EndedSession, "personId">,
    at: Date,
  ): Promise<void> => {
    await sessions.lockAllOf(tx, personId);
    await revocations.lockAllOf(tx, personId, at);
  };

  const signOuts: SignOuts = {
    async ofSession(tx, session, at) {
      if (!(await sessions.end(tx, session.digest, at))) return false;
      await codeExpiry.expireOfSession(tx, session, at);
      await revocations.revokeOfSession(tx, session, at);
      return true;
    },
    async ofRemoved(tx, session, at) {
      await lockAllOf(tx, session, at);
      // Its codes have expired long before.
      return (await revocations.revokeOfSession(tx, session, at)) > 0;
    },
    async everywhere(tx, personId, because, at, keptSession) {
      await sessions.lockAllOf(tx, personId);
      await sessions.endAllOf(tx, personId, at, keptSession);
      await revocations.lockAllOf(tx, personId, at);
      await codeExpiry.expireAllOf(tx, personId, at);
      await revocations.revokeAllOf(tx, personId, because, at);
    },
    async replace(tx, old, next, at) {
      if (old.personId !== next.personId) return signOuts.ofSession(tx, old, at);
      await sessions.end(tx, old.digest, at);
      await families.moveToSession(tx, old, next.digest);
      return false;
    },
    async replaceRemoved(tx, oldDigest, next, at) {
      await lockAllOf(tx, next, at);
      await families.moveToSession(tx, { ...next, digest: oldDigest }, next.digest);
    },
  };
  return signOuts;
}
