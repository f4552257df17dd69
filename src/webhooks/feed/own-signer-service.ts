import type { KeyObject } from "node:crypto";
import type { Clock } from "#runtime/basis/clock.ts";
import { failedPrecondition, notFound } from "#runtime/basis/errors.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { OpenedSecrets } from "../queue/opened-secrets.ts";
import { assertNotRevoked } from "../subscriptions/changed-subscription-service.ts";
import { type Scope, sees } from "../subscriptions/scope.ts";
import { signingSecretRow } from "../subscriptions/signing-secret.ts";
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
  const signer = await findSigner(subscriptionId, clock.now());
  if (signer === undefined || !sees(scope, signer)) throw notFound("subscription_not_found", "Subscription not found");
  assertNotRevoked(signer);
  if (signer.connection !== "configured")
    throw failedPrecondition("instance_integration_not_configured", "Instance integration not configured.");
  return signer;
}

/** Shared secrets, then private keys; newest first. */
export const keysOf = (
  secrets: Pick<OpenedSecrets, "keyOf">,
  { subscriptionId, secrets: sealed }: Signer,
): readonly KeyObject[] =>
  sealed.map((secret) => secrets.keyOf(signingSecretRow(subscriptionId, secret.number), secret.sealed, secret.kind));
