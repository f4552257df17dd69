import type { KeyObject } from "node:crypto";
import type { Clock } from "#runtime/basis/clock.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { OpenedSecrets } from "../queue/opened-secrets.ts";
import type { Scope } from "../subscriptions/scope.ts";
import { signingSecretRow } from "../subscriptions/signing-secret.ts";
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

/** Shared secrets, then private keys; newest first. */
export const keysOf = (
  secrets: Pick<OpenedSecrets, "keyOf">,
  { subscriptionId, secrets: sealed }: Signer,
): readonly KeyObject[] =>
  sealed.map((secret) => secrets.keyOf(signingSecretRow(subscriptionId, secret.number), secret.sealed, secret.kind));
