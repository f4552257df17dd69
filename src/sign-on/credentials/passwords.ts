import type { PersonId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import type { HashingQueue } from "./hashing-queue.ts";
import { hashPassword, missingCost, type PasswordCost, passwordMatches } from "./password.ts";

/** In place of the person when an e-mail address is unknown; no person has this id. */
export const UNKNOWN_PERSON = "nobody" as PersonId;

/** Passwords as the conversations use them: one hash's work per question, whoever is asked about. */
export interface Passwords {
  /** How long one hash took at the start, when nothing else was hashed, in milliseconds. */
  readonly hashMs: number;
  /**
   * The hash that the password fits, if the person has this password. An unknown person (`undefined`) and one without a password cost the same look-up and
   * the same work as a hash of today, and so does one whose hash was made when hashes were cheaper: the time tells nothing (R-S17, S16).
   * @param source Whom to take turns with in the queue: the others; for people who are signing in, their network.
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

/** Operators, and people who have proven already who they are. */
const OURSELVES = "ourselves";

/** Hashes one password that nobody has, for the comparisons of unknown people; takes one hash's time. */
export async function createPasswords({ credentials, queue, cost, random }: PasswordsDeps): Promise<Passwords> {
  const startedAt = performance.now();
  const nobody = await hashPassword(random.bytes(32).toString("base64"), cost, random);
  const hashMs = performance.now() - startedAt;
  return {
    hashMs,
    async match(personId, password, source = OURSELVES) {
      const stored = (await credentials.findPasswordHash(personId ?? UNKNOWN_PERSON)) ?? nobody;
      const missing = missingCost(stored, cost);
      const matches = await queue.run(source, async () => {
        const fits = await passwordMatches(password, stored);
        if (missing !== undefined) await hashPassword(password, missing, random);
        return fits;
      });
      return matches && stored !== nobody ? stored : undefined;
    },
    hash: (password) => queue.run(OURSELVES, () => hashPassword(password, cost, random)),
    async renew(stored, password, source) {
      if (missingCost(stored, cost) === undefined) return undefined;
      return queue.run(source, () => hashPassword(password, cost, random));
    },
  };
}
