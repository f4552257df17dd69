import type { SealedColumn } from "#runtime/sealing/purposes.ts";
import { signingSecretRow } from "../secrets/signing-secret.ts";
import { extraHeadersRow } from "./extra-headers.ts";

/** Where the secrets, key pairs and extra headers of subscriptions are. */
export const sealedOfSubscriptions: readonly SealedColumn[] = [
  {
    kind: "signingSecrets",
    table: "webhooks_signing_secrets",
    column: "sealed",
    key: ["subscription_id", "number"],
    rowOf: (subscriptionId, number) => signingSecretRow(String(subscriptionId), Number(number)),
  },
  {
    kind: "extraHeaders",
    table: "webhooks_subscriptions",
    column: "extra_headers",
    key: ["id"],
    rowOf: (subscriptionId) => extraHeadersRow(String(subscriptionId)),
  },
];
