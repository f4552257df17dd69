import type { PersonId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { NOBODY } from "../sign-ins/sign-in.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import type { HashingQueue } from "./hashing-queue.ts";
import { hashPassword, type PasswordCost, passwordMatches } from "./password.ts";

/** Passwords as the conversations use them: one hash per question, whoever is asked about. */
export interface Passwords {
  /**
   * The hash that the password fits, if the person has this password. An unknown person (`undefined`) and one without a password cost the same look-up and
   * the same hash, so that the time tells nothing (R-S17, S16).
   */
  match(personId: PersonId | undefined, password: string): Promise<string | undefined>;
  hash(password: string): Promise<string>;
}

interface PasswordsDeps {
  readonly credentials: Pick<CredentialRepository, "findPasswordHash">;
  readonly queue: HashingQueue;
  readonly cost: PasswordCost;
  readonly random: Random;
}

/** Hashes one password that nobody has, for the comparisons of unknown people; takes one hash's time. */
export async function createPasswords({ credentials, queue, cost, random }: PasswordsDeps): Promise<Passwords> {
  const nobody = await hashPassword(random.bytes(32).toString("base64"), cost, random);
  return {
    async match(personId, password) {
      const stored = await credentials.findPasswordHash(personId ?? NOBODY);
      const matches = await queue.run(() => passwordMatches(password, stored ?? nobody));
      return matches ? stored : undefined;
    },
    hash: (password) => queue.run(() => hashPassword(password, cost, random)),
  };
}
