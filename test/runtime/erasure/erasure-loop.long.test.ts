import { setTimeout as sleep } from "node:timers/promises";
import { erasureLoop } from "../../../src/runtime/erasure/erasure-loop.ts";
import {
  appendErasure,
  type Eraser,
  type ErasureTables,
  erasureFinishedAt,
  erasureMigrations,
} from "../../../src/runtime/erasure/erasures.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, inTransaction, type TestStore } from "../../support/stores.ts";

const OBJECT = "person_aaaaaaaaaaaaaaaaaaaaa";
const SCOPE = {
  people: [{ id: OBJECT, addressDigest: "digest-of-an-address" }],
  tenantIds: [],
  redactions: [],
};

eachStore((name, open) => {
  describe("the loop of erasures (R-X260)", () => {
    const clock = standingClock();
    let opened: TestStore;

    beforeEach(async () => {
      opened = await open([erasureMigrations]);
    });

    const begin = (object = OBJECT, requestId = "req_1") =>
      inTransaction(opened.store.view(), (tx) =>
        appendErasure(tx, { object, actor: "platform", requestId, scope: SCOPE }, clock.now()),
      );
    const finishedAt = (object = OBJECT) => erasureFinishedAt(opened.store.view(), [object]);

    /** Runs the loop until the condition is met. */
    const runUntil = async (erasers: readonly Eraser[], isMet: () => Promise<boolean>, store = opened.store) => {
      const ending = new AbortController();
      const running = erasureLoop({ store, clock, wake: opened.wake, erasers }).run(ending.signal);
      const met = await eventually(isMet, (one) => one);
      ending.abort();
      await running;
      return met;
    };
    const eraser = (answer: () => "erased" | "later"): Eraser => ({ erase: async () => answer() });

    it("finishes what every part has erased, and keeps only ids then", async () => {
      await begin();
      expect(await finishedAt()).toBeUndefined();
      expect(await runUntil([eraser(() => "erased")], async () => (await finishedAt()) !== undefined)).toBe(true);
      expect(await finishedAt()).toEqual(clock.now());
      const rows = await opened.store.view<ErasureTables>().selectFrom("erasures").selectAll().execute();
      expect(rows).toEqual([expect.objectContaining({ object: OBJECT, actor: "platform", scope: "{}" })]);
    });

    it("asks every part again while one says later", async () => {
      await begin();
      const asked = { first: 0, second: 0 };
      const first = eraser(() => {
        asked.first++;
        return "erased";
      });
      const second = eraser(() => (++asked.second < 3 ? "later" : "erased"));
      expect(await runUntil([first, second], async () => (await finishedAt()) !== undefined)).toBe(true);
      expect(asked).toEqual({ first: 3, second: 3 });
    });

    it("rests in proportion to what a pass took, while one says later", async () => {
      await begin();
      const ended: number[] = [];
      const slow: Eraser = {
        async erase() {
          await sleep(500);
          ended.push(ended.length);
          return "later";
        },
      };
      const afterASecond = async () => {
        if (ended.length === 0) return false;
        await sleep(1_000);
        return true;
      };
      expect(await runUntil([slow], afterASecond)).toBe(true);
      expect(ended).toHaveLength(1);
    });

    it("what one request erased is finished as a whole", async () => {
      await begin();
      await runUntil([eraser(() => "erased")], async () => (await finishedAt()) !== undefined);
      await begin("user_aaaaaaaaaaaaaaaaaaaaa", "req_1");
      expect(await finishedAt()).toBeUndefined();
      await begin("user_bbbbbbbbbbbbbbbbbbbbb", "req_2");
      await runUntil([eraser(() => "erased")], async () => (await finishedAt()) !== undefined);
      expect(await finishedAt("unit_aaaaaaaaaaaaaaaaaaaaa")).toBeUndefined();
    });

    it("on the embedded store it waits for readers that need the log (decision 0059)", async () => {
      const reader = await opened.store.snapshot<ErasureTables>();
      await reader.db.selectFrom("erasures").selectAll().execute();
      await begin();
      let passes = 0;
      const counting = eraser(() => {
        passes++;
        return "erased";
      });
      let looks = 0;
      const looking = {
        ...opened.store,
        forgetOverwritten: async () => {
          looks++;
          return opened.store.forgetOverwritten();
        },
      };
      await runUntil([counting], async () => looks > 2 || (await finishedAt()) !== undefined, looking);
      expect((await finishedAt()) === undefined).toBe(name === "sqlite");
      // The tables are not looked through again for each look at the log: an export may keep it for hours.
      expect(passes).toBe(1);
      await reader.close();
      expect(await runUntil([counting], async () => (await finishedAt()) !== undefined)).toBe(true);
    });

    it("on the embedded store a reader that keeps the log keeps no later erasure out of the tables (R-X260)", async () => {
      const reader = await opened.store.snapshot<ErasureTables>();
      await reader.db.selectFrom("erasures").selectAll().execute();
      const objects = Array.from({ length: 60 }, (_, number) => `unit_${String(number).padStart(21, "0")}`);
      for (const object of objects) await begin(object, `req_${object}`);
      const erased: string[] = [];
      const noting: Eraser = {
        erase: async (erasures) => {
          erased.push(...erasures.map((erasure) => erasure.object));
          return "erased";
        },
      };
      expect(await runUntil([noting], async () => erased.length >= objects.length)).toBe(true);
      expect(erased).toEqual(objects);
      await reader.close();
      const isFinished = async () => (await erasureFinishedAt(opened.store.view(), objects)) !== undefined;
      expect(await runUntil([noting], isFinished)).toBe(true);
    });
  });
});
