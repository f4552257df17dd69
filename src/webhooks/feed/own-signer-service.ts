import type { KeyObject } from "node:crypto";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Log } from "#runtime/process/log.ts";
import type { OpenedSecrets } from "../queue/opened-secrets.ts";
import { OUR_FAULT_WAIT_MS } from "../queue/signing.ts";
import { signingSecretRow } from "../secrets/signing-secret.ts";
import type { Scope } from "../subscriptions/scope.ts";
import { assertNotRevoked, notConfigured, visibleSubscription } from "../subscriptions/subscription-refusals.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";

/** The subscription with the secrets that sign at that time; `undefined` when there is none. */
export type FindSigner = (subscriptionId: SubscriptionId, at: Date) => Promise<Signer | undefined>;

interface OwnSignerDeps {
  readonly findSigner: FindSigner;
  readonly clock: Clock;
}

/** The header of what is signed as data, before the standard's. */
export const JSON_CONTENT = { name: "content-type", value: "application/json" } as const;

/**
 * What signs, as data, for a subscription of the scope.
 * @throws NOT_FOUND (subscription_not_found); FAILED_PRECONDITION (instance_integration_not_configured,
 * instance_integration_revoked).
 */
export async function signerFor(
  { findSigner, clock }: OwnSignerDeps,
  scope: Scope,
  subscriptionId: SubscriptionId,
): Promise<Signer> {
  const signer = visibleSubscription(scope, await findSigner(subscriptionId, clock.now()), subscriptionId);
  assertNotRevoked(signer);
  if (signer.connection !== "configured") throw notConfigured();
  return signer;
}

interface KeysDeps {
  readonly secrets: Pick<OpenedSecrets, "keyOf">;
  readonly log: Log;
}

/**
 * Shared secrets, then private keys; newest first.
 * @throws UNAVAILABLE (secret_unopened) when one of them cannot be opened: what is signed by some of them alone, a
 * receiver that has another one would take for forged (R-X372).
 */
export function keysOf({ secrets, log }: KeysDeps, { subscriptionId, secrets: sealed }: Signer): readonly KeyObject[] {
  try {
    return sealed.map((secret) =>
      secrets.keyOf(signingSecretRow(subscriptionId, secret.number), secret.sealed, secret.kind),
    );
  } catch (error) {
    log.error("Nothing is signed as data for a subscription, since its signing secret cannot be opened.", {
      detail: subscriptionId,
      error,
    });
    throw new Failure(
      "UNAVAILABLE",
      "secret_unopened",
      "A signing secret of the subscription cannot be read at the moment, so nothing can be signed. Try again later, or replace the secret.",
      { detail: subscriptionId, cause: error, retryAfterSeconds: OUR_FAULT_WAIT_MS / 1_000 },
    );
  }
}
