import type { Chunks } from "../../../src/runtime/http/operation.ts";
import { longLists } from "../../../src/workforce/gateway/long-lists.ts";
import { collect } from "../../support/collect.ts";

const list = (): Chunks & { discarded: number } => {
  const chunks = {
    discarded: 0,
    async *[Symbol.asyncIterator]() {
      yield "[1";
      yield "]";
    },
    discard: () => void chunks.discarded++,
  };
  return chunks;
};

describe("the number of long lists under way (R-X61)", () => {
  it("is limited: the next one is refused, and succeeds after another is read or abandoned", async () => {
    const lists = longLists(2);
    const taken = lists.begin("one", list());
    const abandoned = list();
    const left = lists.begin("two", abandoned);
    const tooMany = list();
    expect(() => lists.begin("three", tooMany)).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", retryAfterSeconds: 2 }),
    );
    expect(tooMany.discarded).toBe(1);

    expect(await collect(taken)).toEqual(["[1", "]"]);
    const third = lists.begin("three", list());
    expect(() => lists.begin("four", list())).toThrow("Too many");

    left.discard();
    expect(abandoned.discarded).toBe(1);
    left.discard();
    lists.begin("four", list());
    expect(() => lists.begin("five", list())).toThrow("Too many");
    expect(await collect(third)).toEqual(["[1", "]"]);
  });

  it("goes down when a reader breaks off", async () => {
    const lists = longLists(1);
    for await (const _ of lists.begin("one", list())) break;
    expect(await collect(lists.begin("one", list()))).toEqual(["[1", "]"]);
  });

  it("leaves places to others, whatever one key asks for", () => {
    const lists = longLists(8);
    const begunBy = (key: string): number => {
      for (let begun = 0; ; begun++) {
        try {
          lists.begin(key, list());
        } catch {
          return begun;
        }
      }
    };
    expect(["one", "two", "three", "four", "five"].map(begunBy)).toEqual([4, 2, 1, 1, 0]);
  });
});
