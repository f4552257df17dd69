import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { leaveNumbersOut } from "../../../src/runtime/upkeep/store-identity.ts";
import { feedCursors } from "../../../src/webhooks/feed/feed-cursor.ts";
import { webhooksRestored } from "../../../src/webhooks/services.ts";
import { eachStore } from "../../support/stores.ts";
import { ACKNOWLEDGED, MASTER_KEY, openKit, settingsFor, type WebhooksKit } from "../webhooks-kit.ts";
import { emitted, idsOf, readFeed } from "./feed-kit.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

async function delivered(kit: WebhooksKit, count: number): Promise<void> {
  await emitted(kit, count);
  for (const claimed of await kit.claim()) await kit.record(claimed, ACKNOWLEDGED);
}

eachStore((_, open) => {
  describe("where a feed begins (R-X289)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    it("a cursor of which something was removed is answered with the one where the kept part begins", async () => {
      const { id } = await kit.subscribe();
      await delivered(kit, 2);
      const { events } = await readFeed(kit, id, { limit: 1 });
      kit.clock.step(29 * DAY_MS);
      await delivered(kit, 1);
      kit.clock.step(2 * DAY_MS);
      await kit.sweep();
      const old = await readFeed(kit, id, { after: events[0]?.cursor ?? "" });
      expect(old).toMatchObject({ events: [], hasMore: false, keptFrom: old.next });
      const kept = await readFeed(kit, id, { after: old.keptFrom ?? "" });
      expect(kept.events).toHaveLength(1);
      expect(idsOf((await readFeed(kit, id)).events)).toEqual(idsOf(kept.events));
    });

    it("has what is pending, however old it is, while nothing younger was removed (R-X236)", async () => {
      const { id } = await kit.subscribe();
      await delivered(kit, 1);
      const { next } = await readFeed(kit, id);
      await emitted(kit, 1);
      const waiting = idsOf((await readFeed(kit, id, { after: next })).events);
      expect(waiting).toHaveLength(1);
      kit.clock.step(31 * DAY_MS);
      await kit.sweep();
      expect(idsOf((await readFeed(kit, id)).events)).toEqual(waiting);
      const page = await readFeed(kit, id, { after: next });
      expect([idsOf(page.events), page.keptFrom ?? undefined]).toEqual([waiting, undefined]);
    });

    it("the cursor of a quiet feed stays young while it is read", async () => {
      const { id } = await kit.subscribe({ eventTypes: ["client.created"] });
      await kit.subscribe({ label: "busy" });
      await delivered(kit, 3);
      let { next } = await readFeed(kit, id);
      for (let day = 0; day < 70; day += 25) {
        await delivered(kit, 1);
        kit.clock.step(25 * DAY_MS);
        await kit.sweep();
        const page = await readFeed(kit, id, { after: next });
        expect(page.keptFrom ?? undefined).toBeUndefined();
        next = page.next;
      }
    });

    it("is behind everything where every body was removed, deliveries too", async () => {
      const { id } = await kit.subscribe();
      await delivered(kit, 3);
      const { events } = await readFeed(kit, id);
      kit.clock.step(91 * DAY_MS);
      await kit.sweep();
      expect(await readFeed(kit, id)).toMatchObject({ events: [], hasMore: false });
      const old = await readFeed(kit, id, { after: events[0]?.cursor ?? "" });
      expect(old.keptFrom).toEqual(old.next);
      await delivered(kit, 1);
      expect((await readFeed(kit, id, { after: old.keptFrom ?? "" })).events).toHaveLength(1);
    });

    it("a cursor beyond the last delivery, as after an unfinished restore, never skips events silently", async () => {
      const { id } = await kit.subscribe();
      await delivered(kit, 2);
      const beyond = feedCursors(createSealer([MASTER_KEY], systemRandom)).write(id as never, 1_000_000);
      const answer = await readFeed(kit, id, { after: beyond });
      expect(answer.events).toEqual([]);
      expect((await readFeed(kit, id, { after: answer.keptFrom ?? "" })).events).toHaveLength(2);
    });

    it("a cursor of the time that a restore has taken back goes on, and skips nothing that is in the store", async () => {
      const { id } = await kit.subscribe();
      await delivered(kit, 2);
      // What waits in the backup's outbox gets its deliveries now.
      await kit.emit();
      const ofLostTime = feedCursors(createSealer([MASTER_KEY], systemRandom)).write(id as never, 200_000);
      const parts = { ...kit.opened, clock: kit.clock, random: systemRandom };
      const restored = webhooksRestored({ ...parts, settings: settingsFor() });
      const changes = createChanges(parts);
      await changes.run(({ db, at }) => leaveNumbersOut(db, at, restored.numberedForOthers));
      await restored.prepare();
      await changes.run(({ db, at }) => restored.suspendAll(db, at));
      await delivered(kit, 1);
      const page = await readFeed(kit, id, { after: ofLostTime });
      expect(page.keptFrom ?? undefined).toBeUndefined();
      expect(page.events).toHaveLength(2);
    });
  });
});
