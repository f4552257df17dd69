import { HOUR_MS } from "#runtime/basis/durations.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import { LONG_PASS_MS, type Loop, repeating } from "#runtime/process/loop.ts";
import { secretExpiring } from "../operational/operational-event.ts";
import type { WebhooksTables } from "../tables.ts";
import type { ExpiringSecretRepository } from "./expiring-secret-repository.ts";

/** A secret that was replaced is announced when it signs for so long and no longer. */
const BEFORE_MS = 12 * HOUR_MS;
const BATCH = 100;

/**
 * Emits `secret.expiring` once for each secret that was replaced and soon signs no more (R-X314). Any number of services
 * may do so at once.
 */
export function expiringSecretsLoop(changes: Changes<WebhooksTables>, secrets: ExpiringSecretRepository): Loop {
  return {
    name: "expiring-secrets",
    passMs: LONG_PASS_MS,
    run: repeating(HOUR_MS, async (pass) => {
      const announced = await pass(() => changes.run((change) => announce(change, secrets)));
      return announced >= BATCH;
    }),
  };
}

async function announce({ db, at, emit }: Change<WebhooksTables>, secrets: ExpiringSecretRepository): Promise<number> {
  const expiring = await secrets.announce(db, { at, before: new Date(at.getTime() + BEFORE_MS), limit: BATCH });
  if (expiring.length > 0) await emit(...expiring.map(secretExpiring));
  return expiring.length;
}
