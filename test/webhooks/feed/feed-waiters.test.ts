import { createWake, type Wake } from "../../../src/runtime/wake/wake.ts";
import { FEED_CHANNEL, FEED_ENDS_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { feedWaiters } from "../../../src/webhooks/feed/feed-waiters-service.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { openKit, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";
import { emitted, readFeed } from "./feed-kit.ts";

const LONG = { waitMs: 30_000 };
/** Of a read that must not end by its own time: a test that waits for its end fails long before. */
const DAY_MS = 24 * 3_600_000;
const NEVER = new AbortController().signal;

/** Of an integration of its own, unless one is named. */
const readerOf = (subscriptionId: string, integrationId = subscriptionId) =>
  ({ subscriptionId, integrationId }) as Parameters<ReturnType<typeof feedWaiters>["after"]>[0];

eachStore((_, open) => {
  describe("reads of a feed that wait (R-X290)", () => {
    let kit: WebhooksKit;
    let id: string;
    let ending: AbortController;
    let waits: jest.SpiedFunction<Wake["after"]>;
    beforeEach(async () => {
      kit = await openKit(open);
      ({ id } = await kit.subscribe());
      ending = new AbortController();
      waits = jest.spyOn(kit.opened.wake, "after");
    });
    afterEach(() => {
      ending.abort();
      waits.mockRestore();
    });

    const waiting = (request: object = {}, signal = ending.signal) =>
      readFeed(kit, id, { after: "now", ...LONG, ...request }, signal);
    /** Returns when a read waits: what is emitted then comes behind its "now". */
    const begun = () =>
      eventually(
        async () => waits.mock.calls.some(([channel, , , { aborted }]) => channel === FEED_CHANNEL && !aborted),
        (waitsNow) => waitsNow,
      );

    it("end with the first event, also of another process", async () => {
      const read = waiting();
      await begun();
      const [, other] = (await kit.opened.racers(2)) as [TestStore, TestStore];
      const before = other.wake.ticket(FEED_CHANNEL);
      await emitted(webhooksKit(other, { clock: kit.clock }), 1);
      // Without it the read would end with a look of its own, a second later.
      expect(other.wake.ticket(FEED_CHANNEL)).toBeGreaterThan(before);
      expect((await read).events).toHaveLength(1);
    });

    it("end with an event that is not sent, since the subscription is paused", async () => {
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      const read = waiting();
      await begun();
      await emitted(kit, 1);
      expect((await read).events).toHaveLength(1);
    });

    it("do not wait where there is an event already", async () => {
      await emitted(kit, 1);
      expect((await waiting({ after: null })).events).toHaveLength(1);
    });

    it("end without an event when their time has passed, with a cursor to go on", async () => {
      const { events, next } = await waiting({ waitMs: 20 });
      expect(events).toEqual([]);
      await emitted(kit, 1);
      expect((await readFeed(kit, id, { after: next })).events).toHaveLength(1);
    });

    it.each([false, true])(
      "end with the deletion of their subscription, no other's; of another process: %s",
      async (isOther) => {
        const other = await kit.subscribe();
        const read = waiting();
        let othersAnswered = false;
        void readFeed(kit, other.id, { after: "now", ...LONG }, ending.signal)
          .catch(() => undefined)
          .then(() => {
            othersAnswered = true;
          });
        await begun();
        const refused = expect(read).rejects.toMatchObject({ code: "NOT_FOUND", reason: "subscription_not_found" });
        const [, another] = isOther ? await kit.opened.racers(2) : [];
        const deleting = another === undefined ? kit : webhooksKit(another, { clock: kit.clock });
        await deleting.subscriptions.deleteSubscription({ subscriptionId: id });
        await refused;
        expect(othersAnswered).toBe(false);
      },
      // Below the time that the reads wait: one that the deletion does not end fails.
      20_000,
    );

    it("end with the announcement of a deletion in the same process, where none is lost", async () => {
      const read = waiting();
      await begun();
      const before = kit.opened.wake.ticket(FEED_ENDS_CHANNEL);
      const refused = expect(read).rejects.toMatchObject({ code: "NOT_FOUND", reason: "subscription_not_found" });
      await kit.subscriptions.deleteSubscription({ subscriptionId: id });
      expect(kit.opened.wake.ticket(FEED_ENDS_CHANNEL)).toBeGreaterThan(before);
      await refused;
    });

    it("are checked again before they are answered: a connection revoked in the meantime gets nothing", async () => {
      const read = waiting();
      const refused = expect(read).rejects.toMatchObject({ reason: "instance_integration_not_configured" });
      await begun();
      await kit.emit();
      await kit.setConnection("unconfigured");
      await kit.relay();
      await refused;
    });

    it("are at most ten for one subscription; one that was given up leaves its place", async () => {
      const givenUp = new AbortController();
      const first = waiting({}, givenUp.signal).catch(() => "given up");
      // The read below may take the place of one of the nine for a moment.
      const placed = (): Promise<unknown> =>
        waiting().catch(({ reason }) => (reason === "too_many_waiting" ? placed() : "ended"));
      const others = Array.from({ length: 9 }, placed);
      const refusal = async () =>
        waiting({ waitMs: 50 }).then(
          () => "answered",
          ({ reason }: { reason: string }) => reason,
        );
      expect(await eventually(refusal, (answer) => answer === "too_many_waiting")).toBe("too_many_waiting");
      givenUp.abort();
      await first;
      expect(await eventually(refusal, (answer) => answer === "answered")).toBe("answered");
      ending.abort();
      await Promise.all(others);
    });
  });
});

describe("the look for everyone who waits (R-X290)", () => {
  /** A feed whose end and receivers the test sets. */
  function standing() {
    const wake = createWake();
    const state = {
      end: 10,
      receivers: new Set<string>(),
      ends: 0,
      looks: [] as unknown[],
      kept: [] as string[][],
      deleted: "",
    };
    const feed = {
      findBounds: async () => {
        state.ends++;
        return { beginning: 0, end: state.end, given: state.end };
      },
      listReceivers: async (stretch: { after: number; until: number }) => {
        state.looks.push(stretch);
        return state.receivers;
      },
      listKept: async (subscriptionIds: readonly string[]) => {
        state.kept.push([...subscriptionIds]);
        return new Set(subscriptionIds.filter((id) => id !== state.deleted));
      },
    };
    return { wake, state, waiters: feedWaiters({ feed, wake }) };
  }

  it("asks once for what is new, however many wait, and ends the waits of those that got something", async () => {
    const { wake, state, waiters } = standing();
    const ended: string[] = [];
    const ending = new AbortController();
    const all = Array.from({ length: 500 }, (_, index) => `subscription_${index}`).map((id) =>
      waiters.after(readerOf(id), { end: 10, ticket: 0 }, 30_000, ending.signal).then(() => ended.push(id)),
    );
    Object.assign(state, { end: 12, receivers: new Set(["subscription_7", "subscription_400", "other"]) });
    wake.signal(FEED_CHANNEL);
    await eventually(
      async () => ended.length,
      (count) => count === 2,
    );
    expect(ended).toEqual(["subscription_7", "subscription_400"]);
    expect(state.looks).toEqual([{ after: 10, until: 12 }]);
    ending.abort();
    await Promise.all(all);
  });

  it("lets a read that came behind it look again at once", async () => {
    const { state, waiters } = standing();
    const ending = new AbortController();
    state.end = 20;
    const first = waiters.after(readerOf("subscription_1"), { end: 10, ticket: 0 }, 30_000, ending.signal);
    await eventually(
      async () => state.looks.length,
      (count) => count > 0,
    );
    const looks = { ends: state.ends, looks: [...state.looks] };
    await waiters.after(readerOf("subscription_2"), { end: 15, ticket: 0 }, DAY_MS, NEVER);
    // Answered by what an earlier look found, without a look of its own.
    expect(state).toMatchObject(looks);
    ending.abort();
    await first;
  });

  it("does not let a read ask again and again whose end is before what was looked for", async () => {
    const { state, waiters } = standing();
    const ending = new AbortController();
    state.end = 20;
    const first = waiters.after(readerOf("subscription_1"), { end: 10, ticket: 0 }, 30_000, ending.signal);
    await eventually(
      async () => state.looks.length,
      (count) => count > 0,
    );
    let asked = 0;
    for (const until = performance.now() + 200; performance.now() < until; asked++)
      await waiters.after(readerOf("subscription_2"), { end: 15, ticket: 0 }, 3_000, NEVER);
    expect(asked).toBeLessThanOrEqual(11);
    ending.abort();
    await first;
  });

  it("asks once who is still there when a deletion is announced, and not when there are events", async () => {
    const { wake, state, waiters } = standing();
    const ended: string[] = [];
    const ending = new AbortController();
    const ids = Array.from({ length: 500 }, (_, index) => `subscription_${index}`);
    const all = [...ids, "subscription_7"].map((id) =>
      waiters
        .after(readerOf(id), { end: 10, ticket: waiters.ticket() }, 30_000, ending.signal)
        .then(() => ended.push(id)),
    );
    wake.signal(FEED_CHANNEL);
    await eventually(
      async () => state.ends,
      (count) => count > 1,
    );
    expect(state.kept).toEqual([]);
    state.deleted = "subscription_7";
    wake.signal(FEED_ENDS_CHANNEL);
    await eventually(
      async () => ended.length,
      (count) => count === 2,
    );
    expect(ended).toEqual(["subscription_7", "subscription_7"]);
    expect(state.kept).toEqual([ids]);
    ending.abort();
    await Promise.all(all);
  });

  it("asks after five seconds by itself, since what another process announces may be lost", async () => {
    jest.useFakeTimers();
    try {
      const { state, waiters } = standing();
      const wait = waiters.after(readerOf("subscription_7"), { end: 10, ticket: 0 }, 30_000, NEVER);
      state.deleted = "subscription_7";
      await jest.advanceTimersByTimeAsync(4_900);
      expect(state.kept).toEqual([]);
      await jest.advanceTimersByTimeAsync(200);
      await wait;
      expect(state.kept).toEqual([["subscription_7"]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it("lets a read look again at once whose subscription may have been deleted since it was found", async () => {
    const { wake, state, waiters } = standing();
    const ticket = waiters.ticket();
    wake.signal(FEED_ENDS_CHANNEL);
    await waiters.after(readerOf("subscription_1"), { end: 10, ticket }, DAY_MS, NEVER);
    expect(state).toMatchObject({ ends: 0, kept: [] });
  });

  it("ends every wait when it cannot be asked who is still there", async () => {
    const wake = createWake();
    const waiters = feedWaiters({
      wake,
      feed: {
        findBounds: async () => ({ beginning: 0, end: 10, given: 10 }),
        listReceivers: async () => new Set<string>(),
        listKept: () => Promise.reject(new Error("gone")),
      },
    });
    const waits = ["one", "two"].map((id) => waiters.after(readerOf(id), { end: 10, ticket: 0 }, DAY_MS, NEVER));
    wake.signal(FEED_ENDS_CHANNEL);
    await expect(Promise.all(waits)).resolves.toHaveLength(2);
  });

  it("ends every wait when it fails, so that each read says why", async () => {
    const wake = createWake();
    const waiters = feedWaiters({
      wake,
      feed: {
        findBounds: () => Promise.reject(new Error("gone")),
        listReceivers: () => Promise.reject(new Error("gone")),
        listKept: async (subscriptionIds) => new Set(subscriptionIds),
      },
    });
    const waits = ["one", "two"].map((id) => waiters.after(readerOf(id), { end: 1, ticket: 0 }, DAY_MS, NEVER));
    await expect(Promise.all(waits)).resolves.toHaveLength(2);
  });

  it("keeps half of the places from one integration, however many subscriptions it has", async () => {
    const { waiters } = standing();
    const ending = new AbortController();
    const all: Promise<void>[] = [];
    const begunBy = (integration: string): number => {
      for (let begun = 0; ; begun++) {
        const reader = readerOf(`subscription_${integration}_${begun}`, integration);
        try {
          all.push(waiters.after(reader, { end: 10, ticket: 0 }, 30_000, ending.signal));
        } catch {
          return begun;
        }
      }
    };
    expect(["one", "two", "three"].map(begunBy)).toEqual([500, 250, 125]);
    ending.abort();
    await Promise.all(all);
  });

  it("refuses the thousand and first in a process", async () => {
    const { waiters } = standing();
    const ending = new AbortController();
    const all = Array.from({ length: 1_000 }, (_, index) =>
      waiters.after(readerOf(`subscription_${index}`), { end: 10, ticket: 0 }, 30_000, ending.signal),
    );
    expect(() => waiters.after(readerOf("subscription_x"), { end: 10, ticket: 0 }, 30_000, NEVER)).toThrow(/Try again/);
    ending.abort();
    await Promise.all(all);
  });
});
