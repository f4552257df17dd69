import type { PersonId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import type { HashingQueue } from "./hashing-queue.ts";
import { hashPassword, missingCost, type PasswordCost, passwordMatches } from "./password-hash.ts";

/** In place of the person when an e-mail address is unknown; no person has this id. */
export const UNKNOWN_PERSON = "nobody" as PersonId;

/** How often a password is compared because its hash was replaced during the comparison. */
export const LOOKS_MAX = 3;

/** Passwords as the conversations use them: each check costs one hash, for known and unknown people alike. */
export interface Passwords {
  /** How long one hash took at the start, when nothing else was hashed, in milliseconds. */
  readonly hashMs: number;
  /**
   * The hash that the password fits, if the person has this password. An unknown person (`undefined`), a person without
   * a password and a person with an older, cheaper hash all cost the same look-up and the work of a current hash, so
   * the time reveals nothing (R-S17, S16).
   * @param source Whose turn it is in the queue: a network for people who are signing in, otherwise one shared source.
   */
  match(personId: PersonId | undefined, password: string, source?: string): Promise<string | undefined>;
  hash(password: string): Promise<string>;
  /** A new hash of the password when the stored one that it fits is cheaper than the settings ask for; otherwise `undefined`. */
  renew(stored: string, password: string, source: string): Promise<string | undefined>;
}

interface PasswordsDeps {
  readonly credentials: Pick<CredentialRepository, "findPasswordHash">;
  readonly queue: HashingQueue;
  readonly cost: PasswordCost;
  readonly random: Random;
}

/** Operators, and people who have already proven who they are. */
const OURSELVES = "ourselves";

/** Hashes one random password, to compare with when the person is unknown; takes one hash's time. */
export async function createPasswords({ credentials, queue, cost, random }: PasswordsDeps): Promise<Passwords> {
  const startedAt = performance.now();
  const decoy = await hashPassword(random.bytes(32).toString("base64"), cost, random);
  const hashMs = performance.now() - startedAt;
  return {
    hashMs,
    async match(personId, password, source = OURSELVES) {
      const stored = (await credentials.findPasswordHash(personId ?? UNKNOWN_PERSON)) ?? decoy;
      const missing = missingCost(stored, cost);
      const matches = await queue.run(source, async () => {
        const fits = await passwordMatches(password, stored);
        if (missing !== undefined) await hashPassword(password, missing, random);
        return fits;
      });
      return matches && stored !== decoy ? stored : undefined;
    },
    hash: (password) => queue.run(OURSELVES, () => hashPassword(password, cost, random)),
    async renew(stored, password, source) {
      if (missingCost(stored, cost) === undefined) return undefined;
      return queue.run(source, () => hashPassword(password, cost, random));
    },
  };
}
