import type { PersonId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { firstCharacters } from "#runtime/basis/text.ts";
import type { SenderNetwork } from "../throttling/network.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import type { HashingQueue } from "./hashing-queue.ts";
import { costlier, costOf, hashPassword, missingCost, type PasswordCost, passwordMatches } from "./password-hash.ts";
import { PASSWORD_LENGTH_MAX } from "./password-rules.ts";

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
   * a password and a person with a cheaper hash all cost the same look-up and the work of the costliest hash there is, so
   * the time reveals nothing (R-S17, S16, R-X380). A text that is longer than any password fits none, after the same
   * work (R-X377).
   * @param network Whose turn it is in the queue, of people who are signing in; all others share one.
   */
  match(personId: PersonId | undefined, password: string, network?: SenderNetwork): Promise<string | undefined>;
  hash(password: string): Promise<string>;
  /** A new hash of the password when the stored one that it fits is cheaper than the settings ask for; otherwise `undefined`. */
  renew(stored: string, password: string, network: SenderNetwork): Promise<string | undefined>;
}

interface PasswordsDeps {
  readonly credentials: Pick<CredentialRepository, "findPasswordHash">;
  readonly queue: HashingQueue;
  /** Of new hashes. */
  readonly cost: PasswordCost;
  /** Beginnings of stored hashes, one for each cost that there is. */
  readonly stored?: readonly string[];
  readonly random: Random;
}

/** Operators, and people who have already proven who they are. */
const OURSELVES: SenderNetwork = { narrow: "ourselves", wide: "ourselves" };

/** Hashes one random password, to compare with when the person is unknown; takes one hash's time. */
export async function createPasswords(deps: PasswordsDeps): Promise<Passwords> {
  const { credentials, queue, cost, random } = deps;
  const startedAt = performance.now();
  const decoy = await hashPassword(random.bytes(32).toString("base64"), cost, random);
  const hashMs = performance.now() - startedAt;
  /** Of the costliest hash that is known: the settings may have asked for more before, and may do so in another process. */
  let most = cost;
  const learn = (phc: string): void => {
    most = costlier(most, costOf(phc) ?? most);
  };
  for (const phc of deps.stored ?? []) learn(phc);
  return {
    hashMs,
    async match(personId, password, network = OURSELVES) {
      const stored = (await credentials.findPasswordHash(personId ?? UNKNOWN_PERSON)) ?? decoy;
      learn(stored);
      // To normalize a long text could take long.
      const compared = firstCharacters(password, PASSWORD_LENGTH_MAX);
      const missing = missingCost(stored, most);
      const matches = await queue.run(network, async () => {
        const fits = await passwordMatches(compared, stored);
        if (missing !== undefined) await hashPassword(compared, missing, random);
        return fits;
      });
      return matches && compared === password && stored !== decoy ? stored : undefined;
    },
    hash: (password) => queue.run(OURSELVES, () => hashPassword(password, cost, random)),
    async renew(stored, password, network) {
      if (missingCost(stored, cost) === undefined) return undefined;
      return queue.run(network, () => hashPassword(password, cost, random));
    },
  };
}
