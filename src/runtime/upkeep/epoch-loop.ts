import { once } from "node:events";
import { isUnavailable } from "../basis/errors.ts";
import type { Store } from "../database/database.ts";
import { type Loop, withoutDeadline } from "../process/loop.ts";
import { STORE_IS_BACK, type Wake } from "../wake/wake.ts";
import { findIdentity, type IdentityTables, type StoreIdentity } from "./store-identity.ts";

const LOOK_EVERY_MS = 60_000;

interface EpochLoopDeps {
  readonly store: Store;
  readonly wake: Wake;
  /** As this process has found it at its start. */
  readonly identity: StoreIdentity;
  /** Called when the store is in another epoch. */
  onOtherEpoch(): void;
}

/**
 * Finds out that the store was set back while this process was cut off from it (R-X247): when the connection is back,
 * and each minute.
 */
export function epochLoop({ store, wake, identity, onOtherEpoch }: EpochLoopDeps): Loop {
  const db = store.view<IdentityTables>();
  const isInEpoch = async (): Promise<boolean> => {
    try {
      const found = await findIdentity(db);
      return found?.epoch === identity.epoch && found.epochBeganAt.getTime() === identity.epochBeganAt.getTime();
    } catch (error) {
      // Away: it is looked at when it is back.
      if (isUnavailable(error)) return true;
      throw error;
    }
  };
  return {
    name: "store-epoch",
    async run(signal, pass = withoutDeadline(signal)) {
      while (!signal.aborted) {
        const ticket = wake.ticket(STORE_IS_BACK);
        if (!(await pass(isInEpoch))) {
          onOtherEpoch();
          // Once: from here on the process is ending.
          if (!signal.aborted) await once(signal, "abort");
          return;
        }
        await wake.after(STORE_IS_BACK, ticket, LOOK_EVERY_MS, signal);
      }
    },
  };
}
