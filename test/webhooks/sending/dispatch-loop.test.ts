import { setTimeout as sleep } from "node:timers/promises";
import type {
  AttemptOutcome,
  ClaimDueRequest,
  ClaimedAttempt,
} from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { unavailable } from "../../../src/runtime/basis/errors.ts";
import type { CallOptions } from "../../../src/runtime/rpc/call.ts";
import type { AttemptResult } from "../../../src/webhooks/sending/attempt-sender.ts";
import { dispatchLoop } from "../../../src/webhooks/sending/dispatch-loop.ts";
import { unprovenPlaces } from "../../../src/webhooks/sending/unproven-places.ts";

type DispatchLoopDeps = Parameters<typeof dispatchLoop>[0];

/** What these tests do not look at. */
const UNWATCHED: Omit<DispatchLoopDeps, "dispatch" | "attemptSender" | "concurrency"> = {
  claims: { claim: (call) => call("claim"), idle: async () => undefined },
  troubles: { happened: () => 0, isTroubled: () => false, calm: async () => undefined },
  reporter: { report: () => undefined, idle: async () => undefined },
  metrics: { ended: () => undefined, underWay: () => undefined },
  leaseMs: 60_000,
  now: () => 0,
};

const RESULT: AttemptResult = {
  outcome: "acknowledged",
  httpStatus: 204,
  durationMs: 1,
  retryAfter: undefined,
  responseExcerpt: Buffer.alloc(0),
};

const claimedAttempt = (deliveryId: string, unproven = false): ClaimedAttempt => ({
  deliveryId,
  fence: 1,
  round: 1,
  attemptNumber: 1,
  eventId: "event_x",
  eventType: "user.updated",
  subscriptionId: "subscription_x",
  subscriptionLabel: "x",
  endpointUrl: "https://hooks.example/",
  headers: [],
  body: Buffer.alloc(0),
  unproven,
});

/** A dispatcher in front of `due` deliveries, with attempts that end when they are let. */
function dispatcher({
  due,
  concurrency,
  instantly = false,
}: {
  due: number;
  concurrency: number;
  instantly?: boolean;
}) {
  const limits: number[] = [];
  const reported: AttemptOutcome[] = [];
  const open: (() => void)[] = [];
  let left = due;
  let most = 0;
  let now = 0;
  let closed = false;
  const state = { failNext: false };
  const loop = dispatchLoop({
    ...UNWATCHED,
    dispatch: {
      async claimDue({ limit }: ClaimDueRequest, { signal }: CallOptions = {}) {
        limits.push(limit);
        if (state.failNext) {
          state.failNext = false;
          throw unavailable("Down.");
        }
        const count = Math.min(limit, left);
        left -= count;
        if (count === 0)
          await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
        return { attempts: Array.from({ length: count }, (_, index) => claimedAttempt(`d${left + index}`)) };
      },
    },
    attemptSender: {
      async send() {
        now++;
        most = Math.max(most, now);
        if (instantly) await sleep(1);
        else await new Promise<void>((resolve) => open.push(resolve));
        now--;
        return RESULT;
      },
      async close() {
        closed = true;
      },
    },
    reporter: { report: (outcome) => void reported.push(outcome), idle: async () => undefined },
    concurrency,
  });
  return { loop, limits, reported, open, state, most: () => most, closed: () => closed };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(1);
};

describe("the dispatcher", () => {
  it("claims no more than its free places, and never more than 50", async () => {
    const { loop, limits, reported, most } = dispatcher({ due: 500, concurrency: 120, instantly: true });
    const ending = new AbortController();
    const running = loop.run(ending.signal);
    await until(() => reported.length === 500);
    ending.abort();
    await running;
    expect(Math.max(...limits)).toBe(50);
    expect(most()).toBeLessThanOrEqual(120);
    expect(new Set(reported.map(({ deliveryId }) => deliveryId)).size).toBe(500);
  });

  it("claims again only when a place is free", async () => {
    const { loop, limits, open } = dispatcher({ due: 10, concurrency: 3 });
    const ending = new AbortController();
    const running = loop.run(ending.signal);
    await until(() => open.length === 3);
    await sleep(20);
    expect(limits).toEqual([3]);
    open.shift()?.();
    await until(() => limits.length === 2);
    expect(limits).toEqual([3, 1]);
    ending.abort();
    const letting = setInterval(() => open.shift()?.(), 1);
    await running;
    clearInterval(letting);
  });

  it("when stopped, lets attempts under way finish, reports them, and claims nothing more", async () => {
    const { loop, limits, reported, open, closed } = dispatcher({ due: 2, concurrency: 10 });
    const ending = new AbortController();
    const running = loop.run(ending.signal);
    await until(() => open.length === 2);
    ending.abort();
    await sleep(20);
    const claims = limits.length;
    expect(reported).toEqual([]);
    for (const finish of open) finish();
    await running;
    expect(reported).toHaveLength(2);
    expect(limits).toHaveLength(claims);
    expect(closed()).toBe(true);
  });

  it("fails when it cannot claim, while attempts continue and keep their places", async () => {
    const { loop, limits, reported, open, state } = dispatcher({ due: 3, concurrency: 2 });
    const ending = new AbortController();
    const first = loop.run(ending.signal);
    await until(() => open.length === 2);
    state.failNext = true;
    open.shift()?.();
    await expect(first).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const second = loop.run(ending.signal);
    await until(() => open.length === 2);
    expect(limits).toEqual([2, 1, 1]);
    ending.abort();
    for (const finish of open) finish();
    await second;
    expect(reported).toHaveLength(3);
  });

  it("gives unproven attempts half of its places, and asks again soon while they have them (R-X306)", async () => {
    const asked: Pick<ClaimDueRequest, "limit" | "unprovenLimit" | "waitMs">[] = [];
    const unproven: (() => void)[] = [];
    const ending = new AbortController();
    const loop = dispatchLoop({
      ...UNWATCHED,
      dispatch: {
        async claimDue({ limit, unprovenLimit, waitMs }: ClaimDueRequest) {
          asked.push({ limit, unprovenLimit, waitMs });
          if (asked.length === 4) ending.abort();
          // Only silent endpoints have something, and as many as are wanted; of others it is one, that ends at once.
          const count = unprovenLimit ?? limit;
          return {
            attempts: Array.from({ length: Math.max(1, count) }, (_, index) =>
              claimedAttempt(`d${asked.length}-${index}`, count > 0),
            ),
          };
        },
      },
      attemptSender: {
        async send({ unproven: isUnproven }: ClaimedAttempt) {
          if (isUnproven === true) await new Promise<void>((resolve) => unproven.push(resolve));
          // The second claim frees a place of those who are silent.
          else if (asked.length === 2) unproven.shift()?.();
          return RESULT;
        },
        async close() {},
      } as DispatchLoopDeps["attemptSender"],
      concurrency: 9,
    });
    const running = loop.run(ending.signal);
    await until(() => asked.length >= 4);
    for (const finish of unproven) finish();
    await running;
    expect(asked.slice(0, 2)).toEqual([
      { limit: 9, unprovenLimit: 4, waitMs: 20_000 },
      { limit: 5, unprovenLimit: 0, waitMs: 1_000 },
    ]);
    expect(asked.slice(2).map(({ unprovenLimit }) => unprovenLimit)).toContain(1);
  });

  it("says with each claim how many places are free, and asks again soon while they are few (R-X387)", async () => {
    const asked: ClaimDueRequest[] = [];
    const open: (() => void)[] = [];
    const ending = new AbortController();
    const loop = dispatchLoop({
      ...UNWATCHED,
      dispatch: {
        async claimDue(request: ClaimDueRequest) {
          asked.push(request);
          if (asked.length === 4) ending.abort();
          const count = Math.min(request.limit, request.freePlaces === 64 ? 10 : 50);
          return { attempts: Array.from({ length: count }, (_, index) => claimedAttempt(`d${asked.length}-${index}`)) };
        },
      },
      attemptSender: {
        async send() {
          await new Promise<void>((resolve) => open.push(resolve));
          return RESULT;
        },
        async close() {},
      } as DispatchLoopDeps["attemptSender"],
      concurrency: 64,
    });
    const running = loop.run(ending.signal);
    await until(() => open.length === 64);
    open.shift()?.();
    await until(() => asked.length === 4);
    for (const finish of open) finish();
    await running;
    expect(
      asked.map(({ limit, freePlaces, unprovenFreePlaces, waitMs }) => [limit, freePlaces, unprovenFreePlaces, waitMs]),
    ).toEqual([
      [50, 64, 32, 20_000],
      [50, 54, 32, 20_000],
      [4, 4, 4, 1_000],
      [1, 1, 1, 1_000],
    ]);
  });

  it("asks again soon while few places for unproven attempts are free, of which an integration with many gets none", async () => {
    const asked: ClaimDueRequest[] = [];
    const ending = new AbortController();
    let finish: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (finish = resolve));
    const loop = dispatchLoop({
      ...UNWATCHED,
      dispatch: {
        async claimDue(request: ClaimDueRequest) {
          asked.push(request);
          if (asked.length === 2) ending.abort();
          return { attempts: Array.from({ length: 29 }, (_, index) => claimedAttempt(`d${index}`, true)) };
        },
      },
      attemptSender: {
        async send() {
          await ended;
          return RESULT;
        },
        async close() {},
      } as DispatchLoopDeps["attemptSender"],
      concurrency: 64,
    });
    const running = loop.run(ending.signal);
    await until(() => asked.length === 2);
    finish();
    await running;
    expect(asked.map(({ freePlaces, unprovenFreePlaces, waitMs }) => [freePlaces, unprovenFreePlaces, waitMs])).toEqual(
      [
        [64, 32, 20_000],
        [35, 3, 1_000],
      ],
    );
  });

  it("has at least one place for unproven attempts", () => {
    expect([1, 2, 3, 512].map((places) => unprovenPlaces(places).free)).toEqual([1, 1, 1, 256]);
  });
});
