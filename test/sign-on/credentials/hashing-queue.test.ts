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
/** A sender with a network of its own, as one of IPv4 has. */
const from = (name: string) => ({ narrow: name, wide: name });
/** A sender of one of the networks of a wide one. */
const within = (wide: string, name: string) => ({ narrow: `${wide}:${name}`, wide });
const full = expect.objectContaining({
  code: "RESOURCE_EXHAUSTED",
  reason: "hashing_queue_full",
  retryAfterSeconds: 2,
});

describe("the queue of password hashes (S16)", () => {
  it("runs as many at once as it may, and no more", async () => {
    const { order, start } = work();
    const queue = createHashingQueue({ concurrency: 2, length: 10 });
    for (const name of ["a", "b", "c", "d"]) void queue.run(from("one"), start(name));
    await settled();
    expect(order).toEqual(["a", "b"]);
    expect(queue.depth()).toBe(2);
  });

  it("hashes in the order in which one source came: latecomers cannot overtake", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 10 });
    for (const name of ["a", "b", "c"]) void queue.run(from("one"), start(name));
    await settled();
    end("a");
    void queue.run(from("one"), start("late"));
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
    const waiting = ["a", "b", "c"].map((name) => queue.run(from("one"), start(name)));
    await expect(queue.run(from("one"), start("d"))).rejects.toEqual(full);
    await expect(queue.run(from("one"), start("e"))).rejects.toEqual(full);
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
    const first = queue.run(from("one"), start("a"));
    await expect(queue.run(from("one"), start("b"))).rejects.toEqual(full);
    await settled();
    end("a");
    await first;
    const second = queue.run(from("one"), start("c"));
    await settled();
    end("c");
    expect(await second).toBe("c");
  });

  it("gives the place back when a hash fails, also when it throws before it began", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 5 });
    const failing = queue.run(from("one"), start("a"));
    const throwing = queue.run(from("one"), () => {
      throw new Error("at once");
    });
    const last = queue.run(from("one"), start("c"));
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
    for (const name of ["a1", "a2", "a3", "a4"]) void queue.run(from("a"), start(name));
    for (const name of ["b1", "b2"]) void queue.run(from("b"), start(name));
    void queue.run(from("c"), start("c1"));
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
    const flood = ["a1", "a2", "a3", "a4"].map((name) => queue.run(from("a"), start(name)));
    const [other, another] = ["b1", "c1"].map((name, index) => queue.run(from(["b", "c"][index] ?? ""), start(name)));
    await expect(Promise.all(flood.slice(2, 4))).rejects.toEqual(full);
    await expect(queue.run(from("d"), start("d1"))).rejects.toEqual(full);
    await expect(queue.run(from("a"), start("a5"))).rejects.toEqual(full);
    expect(queue.depth()).toBe(3);
    for (const name of ["a1", "a2", "b1", "c1"]) {
      end(name);
      await settled();
    }
    expect(await Promise.all([...flood.slice(0, 2), other, another])).toEqual(["a1", "a2", "b1", "c1"]);
    expect(order).toEqual(["a1", "a2", "b1", "c1"]);
    expect(queue.depth()).toBe(0);
  });

  it("lets wide networks take turns, and the networks of each in its turns (R-X436)", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 10 });
    for (const name of ["1", "2", "3"]) void queue.run(within("a", name), start(`a${name}`));
    void queue.run(within("a", "3"), start("a3 again"));
    void queue.run(within("a", "1"), start("a1 again"));
    for (const name of ["b1", "b2"]) void queue.run(from("b"), start(name));
    await settled();
    for (const name of ["a1", "a2", "b1", "a3", "b2", "a1 again"]) {
      end(name);
      await settled();
    }
    expect(order).toEqual(["a1", "a2", "b1", "a3", "b2", "a1 again", "a3 again"]);
  });

  it("gives the last place of a wide network's flood to another sender, in it to the one with fewest (R-X436)", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 4 });
    const ends: string[] = [];
    const enter = async (network: ReturnType<typeof from>, name: string) => {
      queue.run(network, start(name)).then(
        () => ends.push(name),
        () => ends.push(`${name} refused`),
      );
      await settled();
    };
    for (const name of ["1", "2", "3", "4", "5", "6"]) await enter(within("a", name), `a${name}`);
    await enter(from("b"), "b1");
    await enter(within("a", "2"), "a2 again");
    await enter(from("b"), "b2");
    await enter(within("c", "1"), "c1");
    await enter(within("a", "3"), "a3 again");
    for (const name of ["a1", "a2", "b1", "c1", "a3"]) {
      end(name);
      await settled();
    }
    expect(ends).toEqual([
      "a6 refused",
      "a5 refused",
      "a2 again refused",
      "a4 refused",
      "b2 refused",
      "a3 again refused",
      "a1",
      "a2",
      "b1",
      "c1",
      "a3",
    ]);
    expect(queue.depth()).toBe(0);
  });

  it("keeps its promises whatever comes: at most so many at once and waiting, everybody gets one answer (R-X88)", async () => {
    const senders = [from("a"), from("b"), within("c", "1"), within("c", "2"), within("c", "3")];
    const step = fc.oneof(fc.constantFrom(...senders), fc.constant(undefined));
    const steps = fc.array(step, { maxLength: 60, size: "max" });
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
