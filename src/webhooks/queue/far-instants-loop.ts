import { MINUTE_MS } from "#runtime/basis/durations.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Log } from "#runtime/process/log.ts";
import { type Loop, repeating } from "#runtime/process/loop.ts";
import { DELIVERIES_CHANNEL, HAND_OVERS_CHANNEL } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import { isClockSet } from "./far-instant.ts";
import type { FarInstantRepository } from "./far-instant-repository.ts";

interface FarInstantsDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly farInstants: FarInstantRepository;
  readonly log: Log;
  /** How long the process has run, by a clock that is never set. */
  readonly ranMs: () => number;
}

/**
 * Looks for what waits, or is under way, until an instant that only a clock that was ahead can have written: without
 * this it would be sent when the clock is there again, perhaps in years (R-X373). Any number of services may do so.
 */
export const farInstantsLoop = ({ changes, farInstants, log, ranMs }: FarInstantsDeps): Loop => ({
  name: "webhook-far-instants",
  run: repeating(MINUTE_MS, async (pass) => {
    if (!isClockSet(ranMs())) return;
    const count = await pass(() =>
      changes.run(async ({ db, at, wakeAfter }) => {
        const near = await farInstants.bringNear(db, at);
        if (near > 0) for (const channel of [DELIVERIES_CHANNEL, HAND_OVERS_CHANNEL]) wakeAfter(channel);
        return near;
      }),
    );
    if (count > 0)
      log.warn("Deliveries waited for a time that a clock has written which was ahead; they go on now.", { count });
  }),
});
