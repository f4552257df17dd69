import { type Loop, pause, withoutDeadline } from "#runtime/basis/loop.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import type { HandOverRepository } from "./hand-over-repository.ts";

const BATCH = 500;
const INTERVAL_MS = 60_000;

/**
 * Puts into the store's own queue what waits for a retry engine outside of it: runs where no such engine is configured
 * (any more), so that switching it off loses nothing.
 */
export const takeBackLoop = (changes: Changes<WebhooksTables>, handOvers: HandOverRepository): Loop => ({
  name: "webhook-take-back",
  async run(signal, round = withoutDeadline(signal)) {
    while (!signal.aborted) {
      const taken = await round(() =>
        changes.run(async ({ db, wakeAfter }) => {
          const count = await handOvers.takeBack(db, BATCH);
          if (count > 0) wakeAfter(DELIVERIES_CHANNEL);
          return count;
        }),
      );
      if (taken < BATCH) await pause(INTERVAL_MS, signal);
    }
  },
});
