import type { DeliveryRound, DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Log } from "#runtime/process/log.ts";
import { LONG_PASS_MS, type Loop, type Pass, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";

const PAGE = 1_000;

/** Names a round, for the store and for the engine. */
const roundName = ({ deliveryId, round }: DeliveryRound): string => `${deliveryId}/${round}`;

interface LostRoundsLoopDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "listHandedOver" | "returnHandOvers">;
  /**
   * Waits for the engine, and asks it in one pass of the loop; answers the names of all rounds that it drives.
   * `undefined` when the signal is aborted.
   */
  readonly listDriven: (signal: AbortSignal, pass: Pass) => Promise<ReadonlySet<string> | undefined>;
  readonly intervalMs: number;
  readonly log: Log;
}

/**
 * Compares what the store handed over with what the engine has, and puts back what is missing: when the engine's own
 * store was emptied, or its work was terminated by hand, no delivery is lost. A round that is put back by mistake is
 * driven twice and attempted once (R-E8).
 */
export const lostRoundsLoop = ({ dispatch, listDriven, intervalMs, log }: LostRoundsLoopDeps): Loop => ({
  name: "webhook-lost-rounds",
  passMs: LONG_PASS_MS,
  async run(signal, pass = withoutDeadline(signal)) {
    while (!signal.aborted) {
      const given = await pass(() => listAll(dispatch));
      // Asked second: what was handed over by then, the engine has had time to list.
      await pause(intervalMs, signal);
      const driven = given.length === 0 ? undefined : await listDriven(signal, pass);
      if (driven === undefined) continue;
      const lost = given.filter((one) => !driven.has(roundName(one)));
      for (let start = 0; start < lost.length; start += PAGE) {
        const { returned } = await dispatch.returnHandOvers({ rounds: lost.slice(start, start + PAGE) });
        if (returned > 0)
          log.warn("Deliveries that the retry engine had lost are handed over again.", { count: returned });
      }
    }
  },
});

async function listAll(dispatch: LostRoundsLoopDeps["dispatch"]): Promise<readonly DeliveryRound[]> {
  const all: DeliveryRound[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await dispatch.listHandedOver({ limit: PAGE, cursor: cursor ?? null });
    all.push(...page.rounds);
    cursor = page.nextCursor;
  } while (typeof cursor === "string");
  return all;
}
