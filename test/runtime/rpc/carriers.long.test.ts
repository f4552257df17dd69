import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { runInsideChange } from "../../../src/runtime/basis/inside-change.ts";
import type { Call, PromiseClient } from "../../../src/runtime/rpc/call.ts";
import { accessInterceptor } from "../../../src/runtime/rpc/interceptors.ts";
import { eachCarrier, quietBoundary } from "../../support/carriers.ts";
import { collect } from "../../support/collect.ts";
import { type EchoMethods, EchoService, echo } from "./echo.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const EVERYTHING_BUT_TIMEOUTS: FakeableAPI[] = [
  "Date",
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "clearImmediate",
  "setInterval",
  "clearInterval",
];

const SECRET = "postgres://gatehouse:hunter2@db.internal/gatehouse";

/** So long that a busy machine has begun the call by then. */
const SHORT_MS = 1_000;

/** Everything of a failure that callers may see, and everything that they may not. */
const told = async (answering: Promise<unknown> | AsyncIterable<unknown>) => {
  const error = await (Symbol.asyncIterator in answering ? collect(answering) : answering).then(
    () => new Error("It answered."),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw error;
  const { code, reason, message, retryAfterSeconds, violations } = error;
  return { code, reason, message, retryAfterSeconds, violations };
};

async function* numbers(upTo: number) {
  for (let number = 1; number <= upTo; number++) yield { number };
}

/** Waits until the call is given up, and ends then. */
const untilGivenUp = (call: Call): Promise<void> =>
  new Promise((resolve) => {
    if (call.signal.aborted) resolve();
    call.signal.addEventListener("abort", () => resolve());
  });

eachCarrier((name, open) => {
  const connect = async (methods: EchoMethods): Promise<PromiseClient<typeof EchoService>> => {
    const carrier = await open({ registrations: [echo(methods)] });
    return carrier.connect(EchoService);
  };

  describe("answers", () => {
    it("carries request and reply", async () => {
      const { say } = await connect({ say: async ({ text }) => ({ text: `${text}, ${text}` }) });
      await expect(say({ text: "Ada ✓" })).resolves.toEqual({ text: "Ada ✓, Ada ✓" });
    });

    it("carries metadata, request id, path and peer", async () => {
      const { say } = await connect({
        say: async (__, { metadata, requestId, path, peer }) => ({
          text: [metadata["x-api-key-proof"], requestId, path, peer].join(" "),
        }),
      });
      const { text } = await say({ text: "" }, { metadata: { "x-api-key-proof": "abc" }, requestId: "req_1" });
      expect(text).toBe("abc req_1 /gatehouse.test.v1.Echo/Say edge");
    });

    it("passes the deadline to the method", async () => {
      const { say } = await connect({ say: async (__, { deadlineAt }) => ({ text: String(deadlineAt) }) });
      const before = Date.now();
      const { text } = await say({ text: "" }, { deadlineMs: 3_000 });
      // Counted from the call, and rounded on its way.
      expect(Number(text)).toBeGreaterThanOrEqual(before + 2_999);
      expect(Number(text)).toBeLessThanOrEqual(Date.now() + 3_001);
    });

    it("keeps the caller's async context out of the method", async () => {
      const context = new AsyncLocalStorage<string>();
      const { say, count } = await connect({
        say: async () => ({ text: String(context.getStore()) }),
        async *count() {
          yield { number: context.getStore() === undefined ? 0 : 1 };
        },
      });
      const seen = await context.run("the caller's", async () => [
        await say({ text: "" }),
        await collect(count({ upTo: 1 })),
      ]);
      expect(seen).toEqual([{ text: "undefined" }, [{ number: 0 }]]);
    });

    it("streams 5,000 replies in order", async () => {
      const { count } = await connect({ count: ({ upTo }) => numbers(upTo) });
      const replies = await collect(count({ upTo: 5_000 }));
      expect([replies.length, replies[0], replies.at(-1)]).toEqual([5_000, { number: 1 }, { number: 5_000 }]);
    });

    it("produces replies only a few ahead of their reader", async () => {
      let made = 0;
      const { count } = await connect({
        async *count({ upTo }) {
          for (let number = 1; number <= upTo; number++) {
            made = number;
            // Large, since over a socket what counts is bytes: a window of a megabyte.
            yield { number, padding: "x".repeat(400_000) };
          }
        },
      });
      const ahead: number[] = [];
      for await (const { number } of count({ upTo: 30 })) {
        await sleep(5);
        ahead.push(made - number);
      }
      expect(ahead).toHaveLength(30);
      expect(Math.max(...ahead)).toBeLessThanOrEqual(5);
    });

    it("frees each reply when its reader is done with it", async () => {
      const { count } = await connect({ count: ({ upTo }) => numbers(upTo) });
      const seen: WeakRef<object>[] = [];
      let alive = 0;
      for await (const reply of count({ upTo: 100 })) {
        seen.push(new WeakRef(reply));
        // References that were looked at live until the turn ends.
        await nextTurn();
        if (reply.number < 100) continue;
        collectGarbage();
        alive = seen.filter((one) => one.deref() !== undefined).length;
      }
      expect(seen).toHaveLength(100);
      expect(alive).toBeLessThan(10);
    });

    it("answers others while one caller reads a long stream", async () => {
      const { say, count } = await connect({
        say: async (request) => request,
        async *count({ upTo }) {
          for (let number = 1; number <= upTo; number++) {
            await nextTurn();
            yield { number, padding: "x".repeat(200_000) };
          }
        },
      });
      let seen = 0;
      const reading = (async () => {
        for await (const { number } of count({ upTo: 300 })) seen = number;
      })();
      while (seen === 0) await sleep(1);
      await say({ text: "" });
      expect(seen).toBeLessThan(300);
      await reading;
      expect(seen).toBe(300);
    });

    it("streams 1,000 requests", async () => {
      const { sum } = await connect({
        async sum(requests) {
          let total = 0;
          for await (const { number } of requests) total += number;
          return { total };
        },
      });
      await expect(sum(numbers(1_000))).resolves.toEqual({ total: 500_500 });
    });

    it("answers before all requests were read, and then stops reading them", async () => {
      let sent = 0;
      const { sum } = await connect({
        async sum(requests) {
          for await (const { number } of requests) return { total: number };
          return { total: 0 };
        },
      });
      async function* endless() {
        while (sent < 1_000_000) yield { number: ++sent };
      }
      await expect(sum(endless())).resolves.toEqual({ total: 1 });
      expect(sent).toBeLessThan(1_000_000);
    });

    it("ends the method's stream when the reader has enough", async () => {
      let ended = false;
      const { count } = await connect({
        async *count(__, call) {
          try {
            for (let number = 1; !call.signal.aborted; number++) {
              yield { number };
              await sleep(1);
            }
          } finally {
            ended = true;
          }
        },
      });
      for await (const { number } of count({ upTo: 0 })) if (number === 3) break;
      while (!ended) await sleep(5);
      expect(ended).toBe(true);
    });
  });

  it("ends the wait of a method whose caller gives up", async () => {
    const [entered, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { say } = await connect({
      async say(request, { waiting }) {
        waiting.addEventListener("abort", () => ended.resolve(), { once: true });
        entered.resolve();
        await ended.promise;
        return request;
      },
    });
    const leaving = new AbortController();
    const asked = say({ text: "" }, { signal: leaving.signal });
    await entered.promise;
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
    await ended.promise;
  });

  describe("failures", () => {
    const refusal = new Failure("FAILED_PRECONDITION", "tenant_full", "The tenant is full ✓.", {
      detail: SECRET,
      cause: new Error(SECRET),
      retryAfterSeconds: 7,
      violations: [{ field: "tenant.name", reason: "is taken ✓" }],
    });
    const publicHalf = {
      code: "FAILED_PRECONDITION",
      reason: "tenant_full",
      message: "The tenant is full ✓.",
      retryAfterSeconds: 7,
      violations: [{ field: "tenant.name", reason: "is taken ✓" }],
    };
    const internal = {
      code: "INTERNAL",
      reason: "internal",
      message: "Internal error",
      retryAfterSeconds: undefined,
      violations: [],
    };

    it("carries code, reason, sentence, violations and retry hint, and no private half", async () => {
      const { say } = await connect({ say: () => Promise.reject(refusal) });
      const thrown = await say({ text: "" }).catch((error: unknown) => error);
      expect(await told(Promise.reject(thrown))).toEqual(publicHalf);
      expect(
        JSON.stringify(Object.getOwnPropertyNames(thrown).map((name) => String((thrown as never)[name]))),
      ).not.toContain("hunter2");
      expect((thrown as Failure).cause).not.toBe(refusal.cause);
    });

    it("creates a separate failure for each caller (S55)", async () => {
      const { say } = await connect({ say: () => Promise.reject(refusal) });
      const [one, other] = await Promise.all([
        say({ text: "" }).catch((error: unknown) => error),
        say({ text: "" }).catch((error: unknown) => error),
      ]);
      expect(one).not.toBe(other);
      expect(one).not.toBe(refusal);
    });

    it.each<[string, EchoMethods["say"]]>([
      ["an unknown throwable", () => Promise.reject(new TypeError(SECRET))],
      ["a throwable that is no error", () => Promise.reject(SECRET)],
      [
        "a method that throws before it promises",
        () => {
          throw new Error(SECRET);
        },
      ],
    ])("answers INTERNAL to %s, without details (S56)", async (__, say) => {
      const client = await connect({ say: say as NonNullable<EchoMethods["say"]> });
      expect(await told(client.say({ text: "" }))).toEqual(internal);
    });

    // Handed over as it is, nothing is encoded.
    if (name !== "in-process, frozen") {
      it("answers INTERNAL when a request or a reply cannot be encoded", async () => {
        const { say } = await connect({ say: async () => ({ text: 1n }) as never });
        expect(await told(say({ text: "" }))).toEqual(internal);
        expect(await told(say({ text: 1n } as never))).toEqual(internal);
      });
    }

    it("withholds private halves, whether or not the method has a boundary", async () => {
      const carrier = await open({
        registrations: [
          echo({
            say: ({ text }) => Promise.reject(text === "known" ? refusal : new TypeError(SECRET)),
            count: () => {
              throw refusal;
            },
          }),
        ],
        interceptors: [],
      });
      const { say, count } = carrier.connect(EchoService);
      expect(await told(say({ text: "known" }))).toEqual(publicHalf);
      expect(await told(say({ text: "unknown" }))).toEqual(internal);
      expect(await told(count({ upTo: 1 }))).toEqual(publicHalf);
    });

    it("maps what a stream throws, before its first reply and after some", async () => {
      const { count } = await connect({
        async *count({ upTo }) {
          yield* numbers(upTo);
          throw refusal;
        },
      });
      const seen: number[] = [];
      const reading = async () => {
        for await (const { number } of count({ upTo: 3 })) seen.push(number);
      };
      expect(await told(reading())).toEqual(publicHalf);
      expect(seen).toEqual([1, 2, 3]);
      expect(await told(count({ upTo: 0 }))).toEqual(publicHalf);
    });

    it("maps what a method throws that reads a stream", async () => {
      const { sum } = await connect({
        async sum(requests) {
          for await (const { number } of requests) if (number === 3) throw refusal;
          return { total: 0 };
        },
      });
      expect(await told(sum(numbers(10)))).toEqual(publicHalf);
    });

    it("returns the caller's own error when its requests fail", async () => {
      const own = new Error("the file of the caller is gone");
      async function* failing() {
        yield { number: 1 };
        throw own;
      }
      const seen: unknown[] = [];
      const { sum } = await connect({
        async sum(requests) {
          try {
            for await (const { number } of requests) seen.push(number);
          } catch (error) {
            seen.push(error);
            throw error;
          }
          return { total: 0 };
        },
      });
      await expect(sum(failing())).rejects.toBe(own);
      expect(seen).not.toContain(own);
    });

    it("refuses an unknown method", async () => {
      const carrier = await open({ registrations: [] });
      const { say, count } = carrier.connect(EchoService);
      const expected = {
        code: "UNIMPLEMENTED",
        reason: "unimplemented",
        message: "The method is not offered here.",
        retryAfterSeconds: undefined,
        violations: [],
      };
      expect([await told(say({ text: "" })), await told(count({ upTo: 1 }))]).toEqual([expected, expected]);
    });

    it("refuses a peer that the access table omits (R-D4, S52)", async () => {
      const access = accessInterceptor({ "gatehouse.test.v1.Echo": ["platform", "services"] });
      const carrier = await open({
        registrations: [echo({ say: async (request) => request })],
        interceptors: [...quietBoundary(), access],
        peer: "worker",
      });
      const { say, count, sum } = carrier.connect(EchoService);
      const refused = { code: "PERMISSION_DENIED", reason: "forbidden_peer" };
      expect(await told(say({ text: "" }))).toMatchObject(refused);
      expect(await told(count({ upTo: 1 }))).toMatchObject(refused);
      expect(await told(sum(numbers(2)))).toMatchObject(refused);
    });

    it("lets a peer through that the access table names", async () => {
      const access = accessInterceptor({ "gatehouse.test.v1.Echo": ["platform"] });
      const carrier = await open({
        registrations: [echo({ say: async (request) => request })],
        interceptors: [access],
        peer: "platform",
      });
      await expect(carrier.connect(EchoService).say({ text: "Ada" })).resolves.toEqual({ text: "Ada" });
    });

    it("refuses a call inside a change, since it could wait for the same writer for ever", async () => {
      const { say, count, sum } = await connect({});
      const inside = (calling: () => Promise<unknown>) => told(runInsideChange(calling));
      const refused = { code: "INTERNAL", reason: "call_inside_change", message: "Internal error" };
      expect(await inside(() => say({ text: "" }))).toMatchObject(refused);
      expect(await inside(() => collect(count({ upTo: 1 })))).toMatchObject(refused);
      expect(await inside(() => sum(numbers(1)))).toMatchObject(refused);
    });

    it("rejects, and never throws, what is refused before it is sent", async () => {
      const { say } = await connect({});
      const calling = runInsideChange(async () => {
        const promise = say({ text: "" });
        return promise.catch(() => "rejected");
      });
      await expect(calling).resolves.toBe("rejected");
    });
  });

  describe("the metadata that a method sends beside its answer", () => {
    const refusal = new Failure("RESOURCE_EXHAUSTED", "rate_limited", "Too many requests.");
    const heard = () => {
      const order: unknown[] = [];
      return { order, onMetadata: (metadata: unknown) => void order.push(metadata) };
    };

    it("comes before the answer, once and merged", async () => {
      const { say } = await connect({
        async say(request, call) {
          call.reply({ "rate-remaining": "8", "rate-reset": "1" });
          call.reply({ "rate-remaining": "7" });
          return request;
        },
      });
      const { order, onMetadata } = heard();
      await say({ text: "" }, { onMetadata }).then(() => order.push("answer"));
      expect(order).toEqual([{ "rate-remaining": "7", "rate-reset": "1" }, "answer"]);
    });

    it("comes before a failure", async () => {
      const { say } = await connect({
        say: (__, call) => {
          call.reply({ "rate-remaining": "0" });
          return Promise.reject(refusal);
        },
      });
      const { order, onMetadata } = heard();
      await say({ text: "" }, { onMetadata }).catch(({ reason }) => order.push(reason));
      expect(order).toEqual([{ "rate-remaining": "0" }, "rate_limited"]);
    });

    it("comes before the first of many replies, before the end of none, and before their failure", async () => {
      const { count } = await connect({
        async *count({ upTo }, call) {
          call.reply({ total: String(upTo) });
          if (upTo > 2) throw refusal;
          yield* numbers(upTo);
          if (upTo > 0) call.reply({ total: "too late" });
        },
      });
      const { order, onMetadata } = heard();
      for await (const { number } of count({ upTo: 2 }, { onMetadata })) order.push(number);
      order.push((await collect(count({ upTo: 0 }, { onMetadata }))).length);
      await collect(count({ upTo: 3 }, { onMetadata })).catch(({ reason }) => order.push(reason));
      expect(order).toEqual([{ total: "2" }, 1, 2, { total: "0" }, 0, { total: "3" }, "rate_limited"]);
    });

    it("comes before the answer to many requests", async () => {
      const { sum } = await connect({
        async sum(requests, call) {
          call.reply({ seen: String((await collect(requests)).length) });
          return { total: 0 };
        },
      });
      const { order, onMetadata } = heard();
      await sum(numbers(3), { onMetadata }).then(() => order.push("answer"));
      expect(order).toEqual([{ seen: "3" }, "answer"]);
    });

    it("is absent when the method sends none, and does no harm without a listener", async () => {
      const { say, count } = await connect({
        async say(request, call) {
          if (request.text === "tell") call.reply({ a: "b" });
          return request;
        },
        count: ({ upTo }) => numbers(upTo),
      });
      const { order, onMetadata } = heard();
      await say({ text: "" }, { onMetadata });
      await collect(count({ upTo: 1 }, { onMetadata }));
      await expect(say({ text: "tell" })).resolves.toEqual({ text: "tell" });
      expect(order).toEqual([]);
    });

    it("is dropped after the deadline", async () => {
      const { say } = await connect({
        async say(request, call) {
          if (request.text === "late") {
            await untilGivenUp(call);
            call.reply({ a: "b" });
            replied.resolve();
          }
          return request;
        },
      });
      const replied = Promise.withResolvers<void>();
      const { order, onMetadata } = heard();
      await say({ text: "late" }, { onMetadata, deadlineMs: SHORT_MS }).catch(({ reason }) => order.push(reason));
      await replied.promise;
      // What was sent before it has arrived when another call is answered.
      await say({ text: "" });
      expect(order).toEqual(["deadline_exceeded"]);
    });
  });

  describe("deadlines and cancellation", () => {
    const late = {
      code: "DEADLINE_EXCEEDED",
      reason: "deadline_exceeded",
      message: "The call took too long.",
      retryAfterSeconds: 2,
      violations: [],
    };
    const cancelled = {
      code: "CANCELLED",
      reason: "cancelled",
      message: "The call was cancelled.",
      retryAfterSeconds: undefined,
      violations: [],
    };

    it("ends a call at its deadline, and signals the method", async () => {
      let given = false;
      const { say } = await connect({
        async say(request, call) {
          await untilGivenUp(call);
          given = true;
          return request;
        },
      });
      expect(await told(say({ text: "" }, { deadlineMs: SHORT_MS }))).toEqual(late);
      while (!given) await sleep(5);
      expect(given).toBe(true);
    });

    it("ends a call at its deadline though the method never ends", async () => {
      const { say } = await connect({ say: () => new Promise(() => undefined) });
      expect(await told(say({ text: "" }, { deadlineMs: 50 }))).toEqual(late);
    });

    it("ends a stream whose next reply misses its deadline, and signals the method (R-X60)", async () => {
      let given = false;
      const { count } = await connect({
        async *count(__, call) {
          yield { number: 1 };
          await untilGivenUp(call);
          given = true;
        },
      });
      expect(await told(count({ upTo: 1 }, { deadlineMs: SHORT_MS }))).toEqual(late);
      while (!given) await sleep(5);
      expect(given).toBe(true);
    });

    it("ends a stream whose first reply misses its deadline (R-X60)", async () => {
      const { count } = await connect({
        async *count(__, call) {
          await untilGivenUp(call);
          yield { number: 1 };
        },
      });
      expect(await told(count({ upTo: 1 }, { deadlineMs: 50 }))).toEqual(late);
    });

    it("lets a stream take longer than its deadline, reader and method alike, while replies keep coming (R-X60)", async () => {
      const deadlines: number[] = [];
      const asked = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
      const { count } = await connect({
        async *count(__, call) {
          deadlines.push(call.deadlineAt);
          for (const [index, { promise }] of asked.entries()) {
            await promise;
            jest.advanceTimersByTime(600);
            yield { number: index + 1 };
          }
        },
      });
      // Only the timers of deadlines are ours to move: the sockets go on by themselves.
      jest.useFakeTimers({ doNotFake: EVERYTHING_BUT_TIMEOUTS });
      try {
        const seen: unknown[] = [];
        const replies = count({ upTo: 4 }, { deadlineMs: 1_000 })[Symbol.asyncIterator]();
        for (const { resolve } of asked) {
          resolve();
          seen.push((await replies.next()).value);
          jest.advanceTimersByTime(600);
        }
        expect(seen).toEqual([1, 2, 3, 4].map((number) => ({ number })));
        expect((await replies.next()).done).toBe(true);
        expect(deadlines).toEqual([Number.POSITIVE_INFINITY]);
      } finally {
        jest.useRealTimers();
      }
    });

    it("ends a stream of requests at its deadline, though the next request never comes", async () => {
      const { sum } = await connect({
        async sum(requests) {
          return { total: (await collect(requests)).length };
        },
      });
      async function* stuck() {
        yield { number: 1 };
        await new Promise(() => undefined);
      }
      expect(await told(sum(stuck(), { deadlineMs: 50 }))).toEqual(late);
    });

    it("cancels a call when its caller gives up, and signals the method", async () => {
      const giving = new AbortController();
      let given = false;
      const { say } = await connect({
        async say(request, call) {
          giving.abort();
          await untilGivenUp(call);
          given = true;
          return request;
        },
      });
      expect(await told(say({ text: "" }, { signal: giving.signal }))).toEqual(cancelled);
      while (!given) await sleep(5);
      expect(given).toBe(true);
    });

    it("cancels a stream when its reader gives up, and signals the method", async () => {
      const giving = new AbortController();
      let given = false;
      const { count } = await connect({
        async *count(__, call) {
          yield { number: 1 };
          await untilGivenUp(call);
          given = true;
        },
      });
      const reading = async () => {
        for await (const { number } of count({ upTo: 1 }, { signal: giving.signal })) if (number === 1) giving.abort();
      };
      expect(await told(reading())).toEqual(cancelled);
      while (!given) await sleep(5);
      expect(given).toBe(true);
    });

    it("sends nothing when its caller gave up before", async () => {
      const { say, count, sum } = await connect({});
      const signal = AbortSignal.abort();
      expect(await told(say({ text: "" }, { signal }))).toEqual(cancelled);
      expect(await told(count({ upTo: 1 }, { signal }))).toEqual(cancelled);
      expect(await told(sum(numbers(1), { signal }))).toEqual(cancelled);
    });

    it("leaves a call that has ended alone", async () => {
      const giving = new AbortController();
      const signals: AbortSignal[] = [];
      const { say, count } = await connect({
        async say(request, call) {
          signals.push(call.signal);
          return request;
        },
        count({ upTo }, call) {
          signals.push(call.signal);
          return numbers(upTo);
        },
      });
      await say({ text: "" }, { signal: giving.signal });
      await collect(count({ upTo: 3 }, { signal: giving.signal }));
      giving.abort();
      // What the abort would have sent has arrived when another call is answered.
      await say({ text: "" });
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    });
  });
});
