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
    const taken = lists.begin(list());
    const left = lists.begin(list());
    const tooMany = list();
    expect(() => lists.begin(tooMany)).toThrow(expect.objectContaining({ code: "UNAVAILABLE", retryAfterSeconds: 2 }));
    expect(tooMany.discarded).toBe(1);

    expect(await collect(taken)).toEqual(["[1", "]"]);
    const third = lists.begin(list());
    expect(() => lists.begin(list())).toThrow("Too many");

    left.discard();
    left.discard();
    lists.begin(list());
    expect(() => lists.begin(list())).toThrow("Too many");
    expect(await collect(third)).toEqual(["[1", "]"]);
  });

  it("goes down when a reader breaks off", async () => {
    const lists = longLists(1);
    for await (const _ of lists.begin(list())) break;
    expect(await collect(lists.begin(list()))).toEqual(["[1", "]"]);
  });
});
