import type { Clock } from "#runtime/basis/clock.ts";
import { isUnavailable } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import { type Loop, withoutDeadline } from "#runtime/process/loop.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { SignOnTables } from "../tables.ts";
import { dueStep, type KeySchedule, type KeyStep } from "./key-schedule.ts";
import { asActive, asNext, newSigningKey } from "./new-signing-keys-service.ts";
import { sealedRow } from "./sealed-private-keys.ts";
import type { SigningAlgorithm, SigningKeyRepository, StoredSigningKey } from "./signing-key-repository.ts";
import { SIGNING_KEYS_CHANNEL } from "./signing-keys.ts";

export interface KeyRotationDeps {
  readonly repository: SigningKeyRepository;
  readonly changes: Changes<SignOnTables>;
  readonly sealer: Sealer;
  readonly schedule: KeySchedule;
  readonly algorithms: readonly SigningAlgorithm[];
}

/** Another process took the step, or a key moved meanwhile. Thrown so that what the change did before is undone. */
export class StepLost extends Error {
  override readonly name = "StepLost";
}

/** True of failures that only say that somebody else was faster. */
export const isLost = (error: unknown): boolean => error instanceof StepLost || isUniqueViolation(error);

/** More steps at once than any state of the store needs; races may cost some. */
const STEPS_MAX = 20;

/**
 * Takes every step that is due, each a change of its own. May run in several processes at once and stop between any two steps: for each
 * step one conditional write decides, and after each the store is in order.
 * @throws what the store throws, and Error for a next key that cannot be opened; then the rest is done next time.
 */
export async function keepKeys(deps: KeyRotationDeps, now: () => Date): Promise<void> {
  // A key that cannot be opened keeps the other algorithm's from no step.
  const failures: unknown[] = [];
  for (const algorithm of deps.algorithms)
    await keepKeysOf(algorithm, deps, now).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function keepKeysOf(algorithm: SigningAlgorithm, deps: KeyRotationDeps, now: () => Date): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const step = dueStep(await deps.repository.listUsable(), algorithm, deps.schedule, now());
    if (step === undefined) return;
    await take(deps, step);
  }
}

/** Sees to it that there are keys to sign with, before the first request. Processes that start at once agree on one set: the store allows one. */
export async function makeMissingSigningKeys(deps: KeyRotationDeps, now: () => Date): Promise<void> {
  for (const algorithm of deps.algorithms) {
    const present = await deps.repository.listUsable();
    if (present.some((key) => key.algorithm === algorithm && key.state === "active")) continue;
    const step = dueStep(present, algorithm, deps.schedule, now());
    if (step !== undefined) await take(deps, step);
  }
}

async function take(deps: KeyRotationDeps, step: KeyStep): Promise<void> {
  try {
    switch (step.kind) {
      case "begin":
        return await begin(deps, step.algorithm);
      case "prepare":
        return await prepare(deps, step.algorithm);
      case "replace":
        return await replace(deps, step.next, step.active);
      case "retire":
        return await retire(deps, step.key);
    }
  } catch (error) {
    if (!isLost(error)) throw error;
  }
}

async function begin({ repository, changes, sealer }: KeyRotationDeps, algorithm: SigningAlgorithm): Promise<void> {
  const made = await newSigningKey(algorithm, sealer);
  await changes.run(async ({ db, at, audit, wakeAfter }) => {
    await repository.create(db, asActive(made, at));
    await audit({ actor: "services", action: "signingKey.create", object: made.keyId, facts: { state: "active" } });
    wakeAfter(SIGNING_KEYS_CHANNEL);
  });
}

async function prepare(deps: KeyRotationDeps, algorithm: SigningAlgorithm): Promise<void> {
  const made = await newSigningKey(algorithm, deps.sealer);
  await deps.changes.run(async ({ db, at, audit, wakeAfter }) => {
    await deps.repository.create(db, asNext(made, at, signsFrom(deps.schedule, at)));
    await audit({ actor: "services", action: "signingKey.create", object: made.keyId, facts: { state: "next" } });
    wakeAfter(SIGNING_KEYS_CHANNEL);
  });
}

/** When a key that is published at `at` may sign. */
export const signsFrom = ({ publishedAheadMs }: KeySchedule, at: Date): Date =>
  new Date(at.getTime() + publishedAheadMs);

/** When a key that signs no more from `at` on leaves the JWKS. */
export const retiresAt = ({ publishedAfterMs }: KeySchedule, at: Date): Date =>
  new Date(at.getTime() + publishedAfterMs);

/** @throws Error when no master key opens the next key: then the active one goes on (F48). */
async function replace(
  { repository, changes, schedule, sealer }: KeyRotationDeps,
  next: StoredSigningKey,
  active: StoredSigningKey | undefined,
): Promise<void> {
  if (active !== undefined) sealer.open(next.sealedPrivateKey, sealedRow(next.keyId));
  await changes.run(async ({ db, at, audit, wakeAfter }) => {
    if (active !== undefined && !(await repository.beginRetiring(db, active.keyId, retiresAt(schedule, at))))
      throw new StepLost();
    if (!(await repository.activate(db, next.keyId, at, { early: active === undefined }))) throw new StepLost();
    await audit({
      actor: "services",
      action: "signingKey.activate",
      object: next.keyId,
      facts: { replaces: active?.keyId ?? null },
    });
    wakeAfter(SIGNING_KEYS_CHANNEL);
  });
}

async function retire({ repository, changes }: KeyRotationDeps, { keyId }: StoredSigningKey): Promise<void> {
  await changes.run(async ({ db, at, audit, wakeAfter }) => {
    if (!(await repository.retire(db, keyId, at))) throw new StepLost();
    await audit({ actor: "services", action: "signingKey.retire", object: keyId });
    wakeAfter(SIGNING_KEYS_CHANNEL);
  });
}

const INTERVAL_MS = 60_000;

interface KeyRotationLoopDeps extends KeyRotationDeps {
  readonly clock: Clock;
  readonly wake: Wake;
  /** Called for each pass that failed, unless the store was away; the loop is started again in any case. */
  readonly failed: () => void;
}

/** Moves the signing keys on when it is time (R-S13). Every services process runs it. */
export const keyRotationLoop = (deps: KeyRotationLoopDeps): Loop => ({
  name: "signing-keys",
  async run(signal, pass = withoutDeadline(signal)) {
    while (!signal.aborted) {
      // From before the pass: its own steps signal too, and cost one more look.
      const ticket = deps.wake.ticket(SIGNING_KEYS_CHANNEL);
      try {
        await pass(() => keepKeys(deps, () => deps.clock.now()));
      } catch (error) {
        // A store that is away is reported as such, and mostly no step was due.
        if (!isUnavailable(error)) deps.failed();
        throw error;
      }
      await deps.wake.after(SIGNING_KEYS_CHANNEL, ticket, INTERVAL_MS, signal);
    }
  },
});
