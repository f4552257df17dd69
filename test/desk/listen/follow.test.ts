import { gatewayAt, waitOf } from "../../../desk/src/gateway/gateway.ts";
import { type Following, follow } from "../../../desk/src/listen/follow.ts";
import { hostileVariants } from "../../../desk/src/listen/hostile.ts";
import type { Answer } from "../../../desk/src/post.ts";
import { API_KEY, type FeedStandIn, feedStandIn } from "../support/gateway.ts";

const ACKNOWLEDGED: Answer = { status: 204, failure: undefined, excerpt: "", durationMs: 1 };
const NOT_THERE: Answer = { status: undefined, failure: "connection", excerpt: "ECONNREFUSED", durationMs: 1 };
const AT_A_BREAKPOINT: Answer = { status: undefined, failure: "timeout", excerpt: "", durationMs: 15_002 };

describe("following a feed (R-X321)", () => {
  let gateway: FeedStandIn;
  beforeEach(async () => {
    gateway = await feedStandIn();
  });
  afterEach(() => gateway.close());

  /** Follows until so many events were forwarded; pauses pass at once, and are what is returned. */
  async function followFor(count: number, more: Partial<Following> & { readonly address?: string } = {}) {
    const ending = new AbortController();
    const forwarded: string[] = [];
    const waits: [reason: string, ms: number][] = [];
    let stored: string | undefined;
    await follow({
      gateway: gatewayAt(new URL(more.address ?? gateway.url), API_KEY),
      subscriptionId: "subscription_0",
      cursors: {
        read: () => undefined,
        write: (cursor) => {
          stored = cursor;
        },
      },
      from: "oldest",
      variantsOf: async (events) => events.map((event) => ({ what: "", event, expected: "acknowledged" })),
      inOrder: true,
      forward: async () => ACKNOWLEDGED,
      notices: {
        listening: () => undefined,
        forwarded({ event }) {
          forwarded.push(event.id);
          if (forwarded.length === count) ending.abort();
        },
        waiting: (reason, ms) => void waits.push([reason, ms]),
        gap: () => undefined,
      },
      pause: async () => undefined,
      now: () => 0,
      signal: ending.signal,
      ...more,
    });
    return { forwarded, waits, stored };
  }

  it("waits as long as Retry-After says, and longer each time without it", async () => {
    const ids = gateway.add("user.updated");
    const [slow, broken] = [{ status: 429, headers: { "retry-after": "7" } }, { status: 503 }];
    gateway.script(slow, broken, broken, broken, slow);
    const { forwarded, waits } = await followFor(1);
    expect(forwarded).toEqual(ids);
    expect(waits.map(([, ms]) => ms)).toEqual([7_000, 2_000, 4_000, 8_000, 7_000]);
    expect(waits[0]?.[0]).toBe("the gateway answers 429");
  });

  it.each(["0", "Wed, 21 Oct 2015 07:28:00 GMT"])(
    "waits a second where Retry-After asks for no time: %s",
    async (at) => {
      gateway.add("user.updated");
      const broken = { status: 503, headers: { "retry-after": at } };
      gateway.script(broken, broken);
      const { waits } = await followFor(1);
      expect(waits.map(([, ms]) => ms)).toEqual([1_000, 1_000]);
    },
  );

  it("never waits longer than half a minute by itself", async () => {
    gateway.add("user.updated");
    gateway.script(...Array.from({ length: 8 }, () => ({ status: 500 })));
    const { waits } = await followFor(1);
    expect(Math.max(...waits.map(([, ms]) => ms))).toBe(30_000);
  });

  it.each([
    ["is started", NOT_THERE, "ECONNREFUSED"],
    ["goes on behind its breakpoint", AT_A_BREAKPOINT, "nothing within 15 s"],
  ])(
    "keeps an event until the program %s, and reads it again, since its signature grows old",
    async (_, silence, why) => {
      const ids = gateway.add("user.created", "user.updated");
      const answers = [ACKNOWLEDGED, silence, silence, ACKNOWLEDGED];
      const { forwarded, waits } = await followFor(2, { forward: async () => answers.shift() ?? ACKNOWLEDGED });
      expect(forwarded).toEqual(ids);
      expect(waits.map(([reason]) => reason)).toEqual(Array(2).fill(`your program does not answer (${why})`));
      expect(gateway.asked.map(({ after }) => after)).toEqual([undefined, "c1", "c1"]);
    },
  );

  it("reads a page again after a sleep of the machine", async () => {
    const ids = gateway.add("user.created", "user.updated");
    const times = [0, 0, 3_600_000];
    const { forwarded } = await followFor(2, { now: () => times.shift() ?? 3_600_000 });
    expect(forwarded).toEqual(ids);
    expect(gateway.asked.map(({ after }) => after)).toEqual([undefined, "c1"]);
  });

  it("goes on within a hostile page that takes longer than its signatures stay fresh, and comes to its end (R-X322)", async () => {
    const ids = gateway.add("user.created", "user.updated", "user.updated", "user.updated");
    const [last] = ids.slice(-1);
    let now = 0;
    const { forwarded, stored } = await followFor(9, {
      inOrder: false,
      variantsOf: (events) => hostileVariants(events, async () => []),
      forward: async () => {
        now += 25_000;
        // While the page is under way another event happens: it waits for its turn.
        if (now === 75_000) gateway.add("user.updated");
        return ACKNOWLEDGED;
      },
      now: () => now,
    });
    expect(forwarded).toEqual([...ids.toReversed().flatMap((id) => [id, id]), last]);
    expect(gateway.asked.map(({ after }) => after)).toEqual([undefined, undefined, undefined]);
    expect(stored).toBe("c4");
  });

  it("stores its place before it waits for the first event", async () => {
    const ending = new AbortController();
    const { stored } = await followFor(1, {
      from: "now",
      signal: ending.signal,
      cursors: { read: () => undefined, write: () => ending.abort() },
    });
    expect([stored, gateway.asked]).toEqual([undefined, [{ after: "now", limit: "50", wait: "0" }]]);
  });

  it("says that it listens once its place is stored", async () => {
    const ending = new AbortController();
    const steps: string[] = [];
    await followFor(1, {
      from: "now",
      signal: ending.signal,
      cursors: { read: () => undefined, write: () => void steps.push("stored") },
      notices: {
        listening() {
          steps.push("listening");
          ending.abort();
        },
        forwarded: () => undefined,
        waiting: () => undefined,
        gap: () => undefined,
      },
    });
    expect(steps).toEqual(["stored", "listening"]);
  });

  it("asks again when the network is gone", async () => {
    const ending = new AbortController();
    const waits: string[] = [];
    await followFor(1, {
      address: "http://127.0.0.1:9",
      signal: ending.signal,
      notices: {
        listening: () => undefined,
        forwarded: () => undefined,
        gap: () => undefined,
        waiting(reason) {
          waits.push(reason);
          if (waits.length === 3) ending.abort();
        },
      },
    });
    expect(waits).toHaveLength(3);
    expect(waits[0]).toContain("does not answer");
  });

  it.each<[string | null, number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    ["999999999", 3_600_000],
    ["Thu, 01 Jan 1970 00:00:10 GMT", 9_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    [null, undefined],
  ])("reads Retry-After %j as %j ms", (field, ms) => {
    expect(waitOf(field, 1_000)).toBe(ms);
  });
});
