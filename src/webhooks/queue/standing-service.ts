import type { Log } from "#runtime/basis/log.ts";
import { holdOf } from "../subscriptions/hold.ts";
import { signingSecretRow } from "../subscriptions/signing-secret.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";
import type { OpenedSecrets } from "./opened-secrets.ts";
import type { Placement } from "./queue-repository.ts";
import type { Sender } from "./sender.ts";

/** How long a delivery waits when we, not the endpoint, cannot do our part. */
const OUR_FAULT_WAIT_MS = 60_000;

/** Where the deliveries of a subscription go that cannot be sent to right now. No attempt is spent. */
export interface Holder {
  readonly kind: "holds";
  readonly place: Pick<Placement, "state" | "reason" | "dueAt">;
}

export type Standing = Sender | Holder;

/** What a subscription's state and secrets mean for a due delivery of it. Never throws: one broken subscription must not hold up the rest. */
export function standingOf(
  signer: Signer,
  { secrets: opened, log }: { readonly secrets: OpenedSecrets; readonly log: Log },
  at: Date,
): Standing {
  const { subscriptionId, label, endpointUrl } = signer;
  const hold = holdOf(signer);
  if (hold !== undefined) return { kind: "holds", place: hold };
  try {
    const secrets = signer.secrets.map(({ number, sealed }) =>
      opened.keyOf(signingSecretRow(subscriptionId, number), sealed),
    );
    if (secrets.length === 0) throw new Error(`${subscriptionId} has no signing secret.`);
    return { kind: "sends", label, endpointUrl, secrets };
  } catch (error) {
    log.error("Deliveries wait, since their signing secret cannot be opened.", { detail: subscriptionId, error });
    return { kind: "holds", place: { state: "pending", dueAt: new Date(at.getTime() + OUR_FAULT_WAIT_MS) } };
  }
}
