import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Transaction } from "#runtime/database/database.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { WebhooksTables } from "../tables.ts";
import { publicKeyText } from "./key-pair.ts";
import type { NewSecret } from "./new-secret.ts";
import type { SecretRepository } from "./secret-repository.ts";
import { signingSecretRow } from "./signing-secret.ts";

interface StoreSecretDeps {
  readonly secrets: SecretRepository;
  readonly sealer: Sealer;
}

/** Stores a new secret sealed, as the current one of its kind; returns its number. The subscription is locked, or new. */
export async function storeSecret(
  { secrets, sealer }: StoreSecretDeps,
  tx: Transaction<WebhooksTables>,
  {
    subscriptionId,
    secret,
    at,
  }: { readonly subscriptionId: SubscriptionId; readonly secret: NewSecret; readonly at: Date },
): Promise<number> {
  const { kind, bytes } = secret;
  const number = await secrets.nextNumber(tx, subscriptionId);
  const sealed = sealer.seal(bytes, signingSecretRow(subscriptionId, number));
  const publicKey = kind === "asymmetric" ? publicKeyText(bytes) : undefined;
  await secrets.create(tx, subscriptionId, { number, kind, sealed, publicKey }, at);
  return number;
}
