import fc from "fast-check";
import { createHashingQueue } from "../../../src/sign-on/credentials/hashing-queue.ts";

/** Work that ends on demand. */
function work() {
  const order: string[] = [];
  const endings = new Map<string, (error?: Error) => void>();
  const start = (name: string) => () => {
    order.push(name);
    return new Promise<string>((resolve, reject) => {
      endings.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
    });
  };
  return { order, start, end: (name: string, error?: Error) => endings.get(name)?.(error) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const full = expect.objectContaining({
  code: "RESOURCE_EXHAUSTED",
  reason: "hashing_queue_full",
  retryAfterSeconds: 2,
});

describe("the queue of password hashes (S16)", () => {
  it("runs as many at once as it may, and no more", async () => {
    const { order, start } = work();
    const queue = createHashingQueue({ concurrency: 2, length: 10 });
    for (const name of ["a", "b", "c", "d"]) void queue.run("one", start(name));
    await settled();
    expect(order).toEqual(["a", "b"]);
    expect(queue.depth()).toBe(2);
  });

  it("hashes in the order in which one source came: latecomers cannot overtake", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 10 });
    for (const name of ["a", "b", "c"]) void queue.run("one", start(name));
    await settled();
    end("a");
    void queue.run("one", start("late"));
    await settled();
    end("b");
    await settled();
    end("c");
    await settled();
    expect(order).toEqual(["a", "b", "c", "late"]);
  });

  it("when full, rejects the next request at once, and no other", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 2 });
    const waiting = ["a", "b", "c"].map((name) => queue.run("one", start(name)));
    await expect(queue.run("one", start("d"))).rejects.toEqual(full);
    await expect(queue.run("one", start("e"))).rejects.toEqual(full);
    for (const name of ["a", "b", "c"]) {
      end(name);
      await settled();
    }
    expect(await Promise.all(waiting)).toEqual(["a", "b", "c"]);
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("has places again once a hash is done", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 0 });
    const first = queue.run("one", start("a"));
    await expect(queue.run("one", start("b"))).rejects.toEqual(full);
    await settled();
    end("a");
    await first;
    const second = queue.run("one", start("c"));
    await settled();
    end("c");
    expect(await second).toBe("c");
  });

  it("gives the place back when a hash fails, also when it throws before it began", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 5 });
    const failing = queue.run("one", start("a"));
    const throwing = queue.run("one", () => {
      throw new Error("at once");
    });
    const last = queue.run("one", start("c"));
    await settled();
    end("a", new Error("later"));
    await expect(failing).rejects.toThrow("later");
    await expect(throwing).rejects.toThrow("at once");
    await settled();
    end("c");
    expect(await last).toBe("c");
    expect(queue.depth()).toBe(0);
  });

  it("lets sources take turns: who comes alone waits for one of each other source, not for a flood (R-X88)", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 10 });
    for (const name of ["a1", "a2", "a3", "a4"]) void queue.run("a", start(name));
    for (const name of ["b1", "b2"]) void queue.run("b", start(name));
    void queue.run("c", start("c1"));
    await settled();
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) {
      end(name);
      await settled();
    }
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("gives the last place of a flood to another sender, and refuses the flood (R-X88)", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 3 });
    const flood = ["a1", "a2", "a3", "a4"].map((name) => queue.run("a", start(name)));
    const [other, another] = ["b1", "c1"].map((name, index) => queue.run(["b", "c"][index] ?? "", start(name)));
    await expect(Promise.all(flood.slice(2, 4))).rejects.toEqual(full);
    await expect(queue.run("d", start("d1"))).rejects.toEqual(full);
    await expect(queue.run("a", start("a5"))).rejects.toEqual(full);
    expect(queue.depth()).toBe(3);
    for (const name of ["a1", "a2", "b1", "c1"]) {
      end(name);
      await settled();
    }
    expect(await Promise.all([...flood.slice(0, 2), other, another])).toEqual(["a1", "a2", "b1", "c1"]);
    expect(order).toEqual(["a1", "a2", "b1", "c1"]);
    expect(queue.depth()).toBe(0);
  });

  it("keeps its promises whatever comes: at most so many at once and waiting, everybody gets one answer (R-X88)", async () => {
    const steps = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d"), fc.constant(undefined)), { maxLength: 60 });
    const limits = fc.record({ concurrency: fc.integer({ min: 1, max: 3 }), length: fc.integer({ min: 0, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(limits, steps, async ({ concurrency, length }, wishes) => {
        const counted = { waited: 0, turnedAway: 0 };
        const observer = { waited: () => void counted.waited++, turnedAway: () => void counted.turnedAway++ };
        const queue = createHashingQueue({ concurrency, length, observer });
        const running: (() => void)[] = [];
        const answers: Promise<string>[] = [];
        const most = { running: 0, depth: 0 };
        const look = () => {
          most.running = Math.max(most.running, running.length);
          most.depth = Math.max(most.depth, queue.depth());
        };
        for (const wish of wishes) {
          if (wish === undefined) running.shift()?.();
          else {
            const hash = () => new Promise<void>((resolve) => void running.push(resolve));
            answers.push(
              queue.run(wish, hash).then(
                () => "hashed",
                () => "turned away",
              ),
            );
          }
          await settled();
          look();
        }
        while (running.length > 0) {
          running.shift()?.();
          await settled();
          look();
        }
        const ends = await Promise.all(answers);
        expect(most.running).toBeLessThanOrEqual(concurrency);
        expect(most.depth).toBeLessThanOrEqual(length);
        expect(counted.waited).toBe(ends.filter((end) => end === "hashed").length);
        expect(counted.turnedAway).toBe(ends.length - counted.waited);
        expect(queue.depth()).toBe(0);
      }),
    );
  });
});
