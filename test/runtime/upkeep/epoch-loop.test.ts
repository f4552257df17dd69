import { unavailable } from "../../../src/runtime/basis/errors.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import { epochLoop } from "../../../src/runtime/upkeep/epoch-loop.ts";
import { findIdentity, type IdentityTables, type StoreIdentity } from "../../../src/runtime/upkeep/store-identity.ts";
import type { Wake } from "../../../src/runtime/wake/wake.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";

const BEGAN = Date.UTC(2026, 5, 30);

eachStore((_, open) => {
  describe("a process whose store may have been restored while it was cut off", () => {
    it.each([
      ["goes on in the epoch that it has found", { epoch: 2, epoch_began_at: BEGAN }, 0],
      ["ends in the next", { epoch: 3, epoch_began_at: BEGAN + 1 }, 1],
      ["ends in one before", { epoch: 1, epoch_began_at: BEGAN - 1 }, 1],
      [
        "ends in one of the same number, of a backup that was restored twice (R-X336)",
        { epoch: 2, epoch_began_at: BEGAN + 1 },
        1,
      ],
    ])("%s", async (__, after, ends) => {
      const { store, wake } = await open([]);
      const db = store.view<IdentityTables>();
      const row = { number: 1 as const, store_id: "a", proof: Buffer.alloc(32), epoch: 2, epoch_began_at: BEGAN };
      await db
        .insertInto("store_identities")
        .values({ ...row, backed_up_at: null })
        .execute();
      const identity = present(await findIdentity(db));
      await db.updateTable("store_identities").set(after).execute();
      let ended = 0;
      const loop = epochLoop({ store, wake, identity, onOtherEpoch: () => void ended++ });
      const once = new AbortController();
      await loop.run(once.signal, (look) => {
        once.abort();
        return look(once.signal);
      });
      expect(ended).toBe(ends);
    });
  });
});

it("goes on while the store is away, and looks again", async () => {
  const away = () => {
    throw unavailable("The store is away.");
  };
  const store = { view: () => ({ selectFrom: away }) } as unknown as Store;
  const once = new AbortController();
  let ended = 0;
  const wake = { ticket: () => 0, after: async () => once.abort() } as unknown as Wake;
  const identity = { epoch: 2, epochBeganAt: new Date(BEGAN) } as StoreIdentity;
  await epochLoop({ store, wake, identity, onOtherEpoch: () => void ended++ }).run(once.signal);
  expect([ended, once.signal.aborted]).toEqual([0, true]);
});
