import type { Change } from "#runtime/changes/change.ts";
import type { WebhooksTables } from "../tables.ts";

/** Claims that wait in this process until something is due. `W` is what one wants, `C` what it took. */
export interface WaitingClaims<W, C> {
  /**
   * Waits until `woken` resolves. Returns what the transaction of another took for it meanwhile, if any.
   * @throws what that transaction failed with, when it may be committed nevertheless.
   */
  wait(wanted: W, woken: Promise<void>): Promise<C | undefined>;
  /**
   * Runs `work`, which makes deliveries in a transaction and ends each try of it with `take`: there the claim that has
   * waited longest takes some, without a commit of its own between an event and its request. When only `take` fails,
   * `work` is run again without it.
   */
  takeWith<T>(work: (take: Take) => Promise<T>): Promise<T>;
}

/** The last step of a transaction. Nothing is taken when nothing that it made is due, or no claim waits. */
type Take = (change: Change<WebhooksTables>, made: { readonly isDue: boolean }) => Promise<void>;

interface Waiting<W, C> {
  readonly wanted: W;
  hasLeft: boolean;
  /** Set while a transaction may take for it, and once one has. */
  taking: Promise<C | undefined> | undefined;
}

export function createWaitingClaims<W, C>(
  claim: (change: Change<WebhooksTables>, wanted: W) => Promise<C | undefined>,
): WaitingClaims<W, C> {
  // In the order in which they came, without those for which a transaction may take.
  const idle = new Set<Waiting<W, C>>();

  return {
    async wait(wanted, woken) {
      const one: Waiting<W, C> = { wanted, hasLeft: false, taking: undefined };
      idle.add(one);
      await woken;
      one.hasLeft = true;
      idle.delete(one);
      return one.taking;
    },
    async takeWith(work) {
      const [one] = idle;
      if (one === undefined) return work(takeNothing);
      idle.delete(one);
      const taking = Promise.withResolvers<C | undefined>();
      one.taking = taking.promise;
      // It is seen only when whoever waits is woken.
      taking.promise.catch(() => undefined);
      let taken: C | undefined;
      let isTaking = false;
      try {
        return await work(async (change, { isDue }) => {
          taken = undefined;
          if (!isDue) return;
          isTaking = true;
          taken = await claim(change, one.wanted);
          isTaking = false;
        });
      } catch (error) {
        // The commit failed, or its answer was lost.
        if (taken !== undefined) taking.reject(error);
        if (!isTaking) throw error;
      } finally {
        taking.resolve(taken);
        if (taken === undefined && !one.hasLeft) {
          one.taking = undefined;
          idle.add(one);
        }
      }
      return work(takeNothing);
    },
  };
}

const takeNothing: Take = async () => undefined;
