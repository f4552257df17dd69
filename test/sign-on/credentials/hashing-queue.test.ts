import { createHashingQueue } from "../../../src/sign-on/credentials/hashing-queue.ts";

/** Work that ends when told to. */
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

describe("the queue of password hashes (S16, trap T16)", () => {
  it("runs as many at once as it may, and no more", async () => {
    const { order, start } = work();
    const queue = createHashingQueue({ concurrency: 2, length: 10 });
    for (const name of ["a", "b", "c", "d"]) void queue.run(start(name));
    await settled();
    expect(order).toEqual(["a", "b"]);
    expect(queue.depth()).toBe(2);
  });

  it("is fair: who came first is hashed first, latecomers cannot overtake", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 10 });
    for (const name of ["a", "b", "c"]) void queue.run(start(name));
    await settled();
    end("a");
    void queue.run(start("late"));
    await settled();
    end("b");
    await settled();
    end("c");
    await settled();
    expect(order).toEqual(["a", "b", "c", "late"]);
  });

  it("refuses whom it has no place for, at once, and nobody else", async () => {
    const { order, start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 2 });
    const waiting = ["a", "b", "c"].map((name) => queue.run(start(name)));
    await expect(queue.run(start("d"))).rejects.toEqual(full);
    await expect(queue.run(start("e"))).rejects.toEqual(full);
    for (const name of ["a", "b", "c"]) {
      end(name);
      await settled();
    }
    expect(await Promise.all(waiting)).toEqual(["a", "b", "c"]);
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("has places again once somebody is done", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 0 });
    const first = queue.run(start("a"));
    await expect(queue.run(start("b"))).rejects.toEqual(full);
    await settled();
    end("a");
    await first;
    const second = queue.run(start("c"));
    await settled();
    end("c");
    expect(await second).toBe("c");
  });

  it("gives the place back when a hash fails, also when it throws before it began", async () => {
    const { start, end } = work();
    const queue = createHashingQueue({ concurrency: 1, length: 5 });
    const failing = queue.run(start("a"));
    const throwing = queue.run(() => {
      throw new Error("at once");
    });
    const last = queue.run(start("c"));
    await settled();
    end("a", new Error("later"));
    await expect(failing).rejects.toThrow("later");
    await expect(throwing).rejects.toThrow("at once");
    await settled();
    end("c");
    expect(await last).toBe("c");
    expect(queue.depth()).toBe(0);
  });
});
