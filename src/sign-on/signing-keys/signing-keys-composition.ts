import { SigningKeysService } from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { SignOnSettings } from "../settings.ts";
import type { SignOnTables } from "../tables.ts";
import { type KeyRotationDeps, keyRotationLoop, makeMissingSigningKeys } from "./key-rotation-service.ts";
import { keySchedule } from "./key-schedule.ts";
import { watchKeys } from "./key-watch.ts";
import { SIGNING_ALGORITHMS } from "./new-signing-keys-service.ts";
import { sealedRow } from "./sealed-private-keys.ts";
import { signingKeyRepository } from "./signing-key-repository.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from "./signing-keys-operator-service.ts";
import { createSigningKeys } from "./signing-keys-service.ts";

interface SigningKeysCompositionDeps {
  readonly db: Database<SignOnTables>;
  readonly changes: Changes<SignOnTables>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** By which keys move on: no clock that is wrong for a moment moves one (R-X390). */
  readonly sweepClock: Clock;
  readonly wake: Wake;
  readonly metrics: Metrics;
  readonly settings: SignOnSettings;
}

interface SigningKeysComposition {
  readonly keys: SigningKeys;
  /** What operators may ask of the keys. */
  readonly operators: Registration;
  /** Moves the keys on when it is time. */
  readonly rotation: Loop;
  readonly checks: readonly HealthCheck[];
}

/**
 * The signing keys with all that keeps them going. Makes them at the first start.
 * @throws CannotStart when the store was sealed with another master key.
 */
export async function composeSigningKeys(deps: SigningKeysCompositionDeps): Promise<SigningKeysComposition> {
  const { changes, sealer, clock, sweepClock, wake, metrics } = deps;
  const repository = signingKeyRepository(deps.db);
  const schedule = keySchedule(deps.settings);
  const rotation = { repository, changes, sealer, schedule, algorithms: SIGNING_ALGORITHMS };
  await makeMissingSigningKeys(rotation, () => clock.now());
  const keys = createSigningKeys({ repository, sealer, clock, wake });
  await assertKeysOpen(rotation);
  const watch = watchKeys({ keys, schedule, algorithms: SIGNING_ALGORITHMS, clock, metrics });
  return {
    keys,
    operators: registration(SigningKeysService, {
      listSigningKeys: listSigningKeys(rotation),
      rotateSigningKeys: rotateSigningKeys(rotation),
      revokeSigningKey: revokeSigningKey(rotation),
    }),
    rotation: keyRotationLoop({ ...rotation, clock: sweepClock, wake, failed: watch.failed }),
    checks: watch.checks,
  };
}

/** A store whose keys cannot be opened could sign nothing: better no start than one that only looks well (F48). */
async function assertKeysOpen({ repository, sealer }: Pick<KeyRotationDeps, "repository" | "sealer">): Promise<void> {
  const active = (await repository.listUsable()).filter(({ state }) => state === "active");
  try {
    for (const { keyId, sealedPrivateKey } of active) sealer.open(sealedPrivateKey, sealedRow(keyId));
  } catch (cause) {
    throw new CannotStart(
      "The store was sealed with another master key than the one that is given. Restore that key: the file master.key of the data directory, or the setting master-keys.",
      { exitCode: 65, cause },
    );
  }
}
