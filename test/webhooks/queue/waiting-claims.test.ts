import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { type Change, type Changes, createChanges } from "../../../src/runtime/changes/change.ts";
import type { Database } from "../../../src/runtime/database/database.ts";
import { OUTBOX_CHANNEL } from "../../../src/runtime/outbox/outbox.ts";
import type { Loop } from "../../../src/runtime/process/loop.ts";
import type { Wake } from "../../../src/runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { linesRepository } from "../../../src/webhooks/queue/lines-repository.ts";
import { createWaitingClaims, type WaitingClaims } from "../../../src/webhooks/queue/waiting-claims-service.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { blocker } from "../../support/deadlocks.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { ACKNOWLEDGED, openKit, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const DUE = { isDue: true } as const;
const LONG_MS = 60_000;

/** A promise that the test resolves, and what waits for it. */
function waitFor<W, C>(claims: WaitingClaims<W, C>, wanted: W) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = claims.wait(wanted, promise);
  // It is looked at when the test asks.
  answer.catch(() => undefined);
  return {
    woken: () => {
      resolve();
      return answer;
    },
  };
}

describe("claims that wait", () => {
  const change = {} as Change<WebhooksTables>;

  it("take one after another, the one that has waited longest first", async () => {
    const claims = createWaitingClaims(async (_, wanted: string) => `of ${wanted}`);
    const [first, second] = [waitFor(claims, "first"), waitFor(claims, "second")];
    const both = [1, 2, 3].map((number) =>
      claims.takeWith(async (take) => {
        await take(change, DUE);
        return number;
      }),
    );
    expect(await Promise.all(both)).toEqual([1, 2, 3]);
    expect([await second.woken(), await first.woken()]).toEqual(["of second", "of first"]);
  });

  it("keep their place in the line's end when nothing was due, or what was taken cannot be sent", async () => {
    let gives: string | undefined;
    const claims = createWaitingClaims(async (_, wanted: string) => gives && `${gives} of ${wanted}`);
    const waiting = waitFor(claims, "one");
    await claims.takeWith((take) => take(change, { isDue: false }));
    await claims.takeWith((take) => take(change, DUE));
    gives = "a delivery";
    await claims.takeWith((take) => take(change, DUE));
    expect(await waiting.woken()).toBe("a delivery of one");
  });

  it("take nothing once they have left, and leave with what a transaction has under way for them", async () => {
    const taken: string[] = [];
    const claims = createWaitingClaims(async (_, wanted: string) => {
      taken.push(wanted);
      return wanted;
    });
    const early = waitFor(claims, "early");
    expect(await early.woken()).toBeUndefined();
    /** Leaves while a transaction may take for it. */
    const leavingMeanwhile = async (name: string, isDue: boolean) => {
      const one = waitFor(claims, name);
      const commit = Promise.withResolvers<void>();
      const working = claims.takeWith(async (take) => {
        await take(change, { isDue });
        await commit.promise;
      });
      const answer = one.woken();
      await nextTurn();
      commit.resolve();
      await working;
      return answer;
    };
    expect(await leavingMeanwhile("with some", true)).toBe("with some");
    expect(await leavingMeanwhile("with none", false)).toBeUndefined();
    await claims.takeWith((take) => take(change, DUE));
    expect(taken).toEqual(["with some"]);
  });

  it("get nothing of a try that was rolled back, when the next one makes nothing that is due", async () => {
    const claims = createWaitingClaims(async () => "taken");
    const waiting = waitFor(claims, "one");
    await claims.takeWith(async (take) => {
      await take(change, DUE);
      await take(change, { isDue: false });
    });
    expect(await waiting.woken()).toBeUndefined();
  });

  it("stay when the work fails before they take, and fail with it when its commit may have counted", async () => {
    const claims = createWaitingClaims(async () => "taken");
    const waiting = waitFor(claims, "one");
    let runs = 0;
    const failing = (isTaken: boolean) =>
      claims.takeWith(async (take) => {
        runs++;
        if (isTaken) await take(change, DUE);
        throw new Error("the connection is lost");
      });
    await expect(failing(false)).rejects.toThrow("the connection is lost");
    await expect(failing(true)).rejects.toThrow("the connection is lost");
    await expect(waiting.woken()).rejects.toThrow("the connection is lost");
    expect(runs).toBe(2);
  });
});

/**
 * A wake that wakes when it is signalled and not because time has passed, so that the number of transactions does not
 * depend on the machine. `isWaitedFor` resolves once a loop or a call waits for a channel.
 */
function untimed(wake: Wake) {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const waitingFor = (channel: string) => {
    const known = waiting.get(channel) ?? Promise.withResolvers<void>();
    waiting.set(channel, known);
    return known;
  };
  return {
    wake: {
      ...wake,
      after(channel: string, ticket: number, _: number, signal: AbortSignal) {
        waitingFor(channel).resolve();
        return wake.after(channel, ticket, LONG_MS, signal);
      },
    },
    isWaitedFor: (channel: string) => waitingFor(channel).promise,
  };
}

/** The store with a count of the transactions that were begun. */
function counting(opened: TestStore) {
  let begun = 0;
  const watched = <T>(view: Database<T>) =>
    new Proxy(view, {
      get(target, name) {
        if (name === "transaction") begun++;
        const found = Reflect.get(target, name, target) as unknown;
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
  const store = { ...opened.store, view: <T>() => watched(opened.store.view<T>()) };
  return { opened: { ...opened, store }, begun: () => begun };
}

onPostgres((open) => {
  it("holds up no relay where another process takes at the moment, and takes afterwards", async () => {
    const kit = await openKit(open);
    await kit.subscribe();
    const [, other] = (await kit.opened.racers(2)) as [TestStore, TestStore];
    const taking = await blocker<WebhooksTables>(other, (tx) => linesRepository(tx).beginTaking(tx, { waits: true }));
    const claiming = kit.dispatch.claimDue({ limit: 50, waitMs: 10_000 });
    await kit.emit();
    await kit.relayOnce();
    expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: [] }]);
    await taking.end();
    expect((await claiming).attempts).toHaveLength(1);
  });
});

eachStore((dialect, open) => {
  describe("a claim that waits for an event", () => {
    let opened: TestStore;
    let kit: WebhooksKit;
    let begun: () => number;
    let isWaitedFor: (channel: string) => Promise<void>;
    beforeEach(async () => {
      const counted = counting(await open([webhooksMigrations]));
      const watched = untimed(counted.opened.wake);
      ({ begun } = counted);
      ({ isWaitedFor } = watched);
      opened = { ...counted.opened, wake: watched.wake };
      kit = webhooksKit(opened);
    });

    it("takes in the transaction that makes the delivery, with its attempt recorded (R-E8)", async () => {
      await kit.subscribe();
      const claiming = kit.dispatch.claimDue({ limit: 50, waitMs: 10_000 });
      await isWaitedFor(DELIVERIES_CHANNEL);
      await kit.emit();
      const before = begun();
      await kit.relayOnce();
      const { attempts } = await claiming;
      expect(begun() - before).toBe(1);
      expect(attempts).toMatchObject([{ attemptNumber: 1, fence: 1, eventType: "user.updated" }]);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: ["in_flight"], dueAt: undefined }]);
      expect(await kit.record(attempts[0] as (typeof attempts)[0], ACKNOWLEDGED)).toBe(1);
    });

    it("takes in the commit of the change itself, where changes share commits (decision 0075)", async () => {
      await kit.subscribe();
      const ending = new AbortController();
      const [relay] = kit.loops as [Loop];
      const running = relay.run(ending.signal);
      const claiming = kit.dispatch.claimDue({ limit: 50, waitMs: 10_000 });
      await Promise.all([DELIVERIES_CHANNEL, OUTBOX_CHANNEL].map(isWaitedFor));
      const committed = jest.spyOn(opened.store.health, "committed");
      await kit.emit();
      const claimed = await claiming;
      const transactions = committed.mock.calls.map(([count = 1]) => count);
      ending.abort();
      await running;
      expect(claimed).toMatchObject({ attempts: [{ attemptNumber: 1 }] });
      expect(transactions).toEqual(dialect === "sqlite" ? [2] : [1, 1]);
    });

    it("leaves what goes beyond its limit for the next", async () => {
      await kit.subscribe();
      const claiming = kit.dispatch.claimDue({ limit: 2, waitMs: 10_000 });
      await isWaitedFor(DELIVERIES_CHANNEL);
      await kit.emit({}, {}, {});
      await kit.relayOnce();
      expect((await claiming).attempts).toHaveLength(2);
      expect(await kit.claim()).toHaveLength(1);
    });

    it("spends no attempt when its caller has gone away meanwhile", async () => {
      await kit.subscribe();
      const ending = new AbortController();
      const claiming = kit.dispatch.claimDue({ limit: 50, waitMs: 10_000 }, { signal: ending.signal });
      claiming.catch(() => undefined);
      await isWaitedFor(DELIVERIES_CHANNEL);
      await kit.emit();
      const relaying = kit.relayOnce();
      ending.abort();
      await relaying;
      await expect(claiming).rejects.toMatchObject({ code: "CANCELLED" });
      // What was taken for it is given back when it finds out.
      const claimed = await eventually(kit.claim, (attempts) => attempts.length > 0);
      expect(claimed).toMatchObject([{ attemptNumber: 1 }]);
    });

    it("that fails in the database leaves the transaction that makes the delivery whole", async () => {
      const changes: Changes<WebhooksTables> = createChanges({
        store: opened.store,
        wake: opened.wake,
        clock: kit.clock,
        random: systemRandom,
      });
      const claims = createWaitingClaims(async ({ db }: Change<WebhooksTables>) => {
        await sql`select * from no_such_table`.execute(db);
        return "taken";
      });
      const waiting = waitFor(claims, "one");
      const { id } = await kit.subscribe();
      await claims.takeWith((take) =>
        changes.run(async (change) => {
          await change.audit({ actor: "relay", action: "relay.made", object: id });
          await take(change, DUE);
        }),
      );
      expect(await waiting.woken()).toBeUndefined();
      expect((await kit.audit()).filter(({ action }) => action === "relay.made")).toHaveLength(1);
    });
  });
});
