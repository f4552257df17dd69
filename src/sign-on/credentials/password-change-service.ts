import type { PersonId } from "#runtime/basis/ids.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SignOnSession } from "../sessions/session-repository.ts";
import type { SignOuts } from "../sessions/sign-out-service.ts";
import type { SignOnTables } from "../tables.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import type { PasswordLinkRepository } from "./password-link-repository.ts";
import type { Passwords } from "./passwords.ts";

/** A password that breaks no rule (`passwordFlaw`), and the permission by which it is set. */
export interface NewPassword {
  readonly personId: PersonId;
  readonly password: string;
  /** Who sets it, for the audit log: a peer, or the person. */
  readonly actor: string;
  /** The means of the change, for the audit log. */
  readonly by: "operator" | "invitation" | "reset" | "old password";
  /** The first check inside the transaction: whether the permission is still valid. `false` changes nothing. */
  readonly stillAllowed: (change: Change<SignOnTables>) => Promise<boolean>;
  /** Digest of the one session that is kept; without it all end. */
  readonly keptSession?: Buffer | undefined;
  /** The session in the browser in which it is set, if any: one of another person is signed out (R-X409). */
  readonly browserSession?: Pick<SignOnSession, "digest" | "personId"> | undefined;
}

/** Sets a new password; the only place that does. */
export interface PasswordChange {
  /**
   * Sets the password and ends, in one transaction, the person's other sessions, unspent codes, token families and open
   * link (R-S20). When it was set; `undefined` when the permission was no longer valid.
   * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being hashed.
   */
  set(given: NewPassword, call: Pick<Call, "requestId">): Promise<Date | undefined>;
}

interface PasswordChangeDeps {
  readonly changes: Changes<SignOnTables>;
  readonly credentials: CredentialRepository;
  readonly passwords: Pick<Passwords, "hash">;
  readonly links: PasswordLinkRepository;
  readonly signOuts: Pick<SignOuts, "everywhere" | "ofSession">;
}

export const createPasswordChange = (deps: PasswordChangeDeps): PasswordChange => ({
  async set({ personId, password, actor, by, stillAllowed, keptSession, browserSession }, { requestId }) {
    const { changes, credentials, passwords, links, signOuts } = deps;
    const hash = await passwords.hash(password);
    return changes.run(
      async (change) => {
        const { db, at, audit, mayBeDone } = change;
        // A form of the link spends it before it comes to the password: so link, password, sessions is everybody's order.
        await links.lockOpenOf(db, personId);
        // An earlier try has left this very hash; a permission that it used up is not asked about.
        const done = mayBeDone ? await credentials.lockPasswordHash(db, personId, hash) : undefined;
        if (done !== undefined) return done;
        if (!(await stillAllowed(change))) return undefined;
        await credentials.setPasswordHash(db, personId, hash, at);
        await links.withdrawAllOf(db, personId, at);
        await signOuts.everywhere(db, personId, "password changed", at, keptSession);
        const other = browserSession?.personId === personId ? undefined : browserSession;
        if (other !== undefined && (await signOuts.ofSession(db, other, at))) {
          const facts = { because: "another person set a password", application: null };
          await audit({ actor: personId, action: "session.end", object: other.personId, facts });
        }
        await audit({ actor, action: "password.set", object: personId, facts: { by } });
        return at;
      },
      { requestId, recognizesItself: true },
    );
  },
});
