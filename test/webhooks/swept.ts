import { webhookSweepLoop } from "../../src/webhooks/deliveries/webhook-sweep-loop.ts";
import type { WebhooksTables } from "../../src/webhooks/tables.ts";
import type { TestStore } from "../support/stores.ts";
import { settingsFor, type WebhooksKit } from "./webhooks-kit.ts";

/** Of one sweep. */
const PASSES = 7;

/** Removes what is old by the clock of the kit. */
export async function sweep(
  { store }: TestStore,
  { clock }: WebhooksKit,
  flags: Readonly<Record<string, string>>,
): Promise<void> {
  const ending = new AbortController();
  const loop = webhookSweepLoop({ db: store.view<WebhooksTables>(), clock, settings: settingsFor(flags) });
  let passes = 0;
  await loop.run(ending.signal, (work) => {
    passes += 1;
    if (passes === PASSES) ending.abort();
    return work(new AbortController().signal);
  });
}
