import { setImmediate as nextTurn } from "node:timers/promises";
import type { Changes } from "#runtime/changes/change.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { WebhooksTables } from "../tables.ts";
import { DELIVERIES_CHANNEL, HAND_OVERS_CHANNEL } from "./delivery.ts";
import type { DeliveryMoves } from "./moves.ts";

const AT_ONCE = 200;
const INTERVAL_MS = 60_000;

/**
 * Moves what a program from before migration 0006 made to where this one has it, the pending deliveries first, in batches that let others write in between. On PostgreSQL a program of
 * before may still be making deliveries in its tables, so it goes on looking.
 */
export const formerRowsLoop = (
  changes: Changes<WebhooksTables>,
  { moveFormer }: Pick<DeliveryMoves, "moveFormer">,
): Loop => ({
  name: "webhook-former-rows",
  async run(signal, pass = withoutDeadline(signal)) {
    while (!signal.aborted) {
      const moved = await pass(() =>
        changes.run(async ({ db, at, wakeAfter }) => {
          const count = await moveFormer(db, { limit: AT_ONCE }, at);
          if (count > 0) for (const channel of [DELIVERIES_CHANNEL, HAND_OVERS_CHANNEL]) wakeAfter(channel);
          return count;
        }),
      );
      if (moved === 0) await pause(INTERVAL_MS, signal);
      else await nextTurn();
    }
  },
});
