import { TurnQueue } from "../../../src/runtime/basis/turn-queue.ts";

describe("a queue of turns", () => {
  it("gives the turn at once where nobody has it", async () => {
    const turns = new TurnQueue();
    expect(turns.isTaken).toBe(false);
    await turns.take();
    expect(turns.isTaken).toBe(true);
    turns.release();
    expect(turns.isTaken).toBe(false);
  });

  it("gives it to one caller after the other, in the order in which they asked", async () => {
    const turns = new TurnQueue();
    const order: string[] = [];
    const work = async (name: string) => {
      await turns.take();
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
      turns.release();
    };
    await Promise.all(["first", "second", "third"].map(work));
    expect(order).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("gives it to as many at once as it has places", async () => {
    const turns = new TurnQueue(2);
    const order: string[] = [];
    const work = (name: string) => () => {
      order.push(name);
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    const all = Promise.all(["first", "second", "third"].map((name) => turns.run(work(name))));
    await Promise.resolve();
    expect(order).toEqual(["first", "second"]);
    await all;
    expect(order).toEqual(["first", "second", "third"]);
    expect(turns.isTaken).toBe(false);
  });

  it("is taken without a gap while callers wait", async () => {
    const turns = new TurnQueue();
    await turns.take();
    const second = turns.take();
    turns.release();
    expect(turns.isTaken).toBe(true);
    await second;
    turns.release();
    expect(turns.isTaken).toBe(false);
  });

  it("calls work one after another, also behind work that failed", async () => {
    const turns = new TurnQueue();
    const order: string[] = [];
    const failing = turns.run(async () => {
      order.push("failing begins");
      await new Promise(setImmediate);
      throw new Error("no");
    });
    const second = turns.run(() => Promise.resolve(order.push("second begins")));
    await expect(failing).rejects.toThrow("no");
    expect(await second).toBe(2);
    expect(order).toEqual(["failing begins", "second begins"]);
    expect(turns.isTaken).toBe(false);
  });

  it("has no turn for a caller whose signal is aborted while it waits, and passes it over", async () => {
    const turns = new TurnQueue();
    await turns.take();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = turns.take(first.signal);
    const stays = turns.take(second.signal);
    first.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    turns.release();
    await stays;
    second.abort(new Error("too late"));
    turns.release();
    expect(turns.isTaken).toBe(false);
  });

  it("gives no turn to a caller whose signal was aborted before", async () => {
    const turns = new TurnQueue();
    await expect(turns.take(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(turns.isTaken).toBe(false);
  });
});
