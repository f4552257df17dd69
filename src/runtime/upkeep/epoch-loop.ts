import { type Loop, withoutDeadline } from "../basis/loop.ts";
import type { Store } from "../database/database.ts";
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
  return {
    name: "store-epoch",
    async run(signal, pass = withoutDeadline(signal)) {
      while (!signal.aborted) {
        const ticket = wake.ticket(STORE_IS_BACK);
        const found = await pass(() => findIdentity(db));
        const isSame =
          found?.epoch === identity.epoch && found.epochBeganAt.getTime() === identity.epochBeganAt.getTime();
        if (!isSame) return onOtherEpoch();
        await wake.after(STORE_IS_BACK, ticket, LOOK_EVERY_MS, signal);
      }
    },
  };
}
