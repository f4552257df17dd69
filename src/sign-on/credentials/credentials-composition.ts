import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import type { SignOuts } from "../sessions/sign-out-service.ts";
import type { SignOnSettings } from "../settings.ts";
import type { SignOnTables } from "../tables.ts";
import { type CredentialRepository, credentialRepository } from "./credential-repository.ts";
import { createHashingQueue, type HashingQueue, hashingMetrics } from "./hashing-queue.ts";
import { createPasswordChange, type PasswordChange } from "./password-change-service.ts";
import { type PasswordLinkRepository, passwordLinkRepository } from "./password-link-repository.ts";
import { createPasswords, type Passwords } from "./passwords.ts";

interface CredentialsCompositionDeps {
  readonly db: Database<SignOnTables>;
  readonly changes: Changes<SignOnTables>;
  readonly signOuts: SignOuts;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SignOnSettings;
}

interface CredentialsComposition {
  readonly credentials: CredentialRepository;
  readonly passwords: Passwords;
  readonly links: PasswordLinkRepository;
  readonly passwordChange: PasswordChange;
}

/** Passwords, the queue that hashes them, and links to set one. Hashes one password, and logs how long that took. */
export async function composeCredentials(deps: CredentialsCompositionDeps): Promise<CredentialsComposition> {
  const { db, changes, signOuts, random, settings } = deps;
  const credentials = credentialRepository(db);
  const queue: HashingQueue = createHashingQueue({
    concurrency: settings["password-hash-concurrency"],
    length: settings["password-hash-queue"],
    observer: hashingMetrics(deps.metrics, () => queue.depth()),
  });
  const cost = { memoryKib: settings["password-memory-kib"], passes: settings["password-passes"] };
  const stored = await credentials.listCosts();
  const passwords = await createPasswords({ credentials, queue, cost, stored, random });
  deps.log.info("One password hash takes this long.", {
    milliseconds: Math.round(passwords.hashMs),
    detail: `argon2id, ${cost.memoryKib} KiB, passes: ${cost.passes}, at once: ${settings["password-hash-concurrency"]}`,
  });
  const links = passwordLinkRepository(db);
  const passwordChange = createPasswordChange({ changes, credentials, passwords, links, signOuts });
  return { credentials, passwords, links, passwordChange };
}
