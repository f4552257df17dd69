import { eachStore } from "../../support/stores.ts";
import { AT, type Bulk, HARBOUR, idOf, openBulk } from "./bulk-kit.ts";

const ALL = Object.values(HARBOUR);

eachStore((_, open) => {
  let bulk: Bulk;

  beforeEach(async () => {
    bulk = await openBulk(open);
  });

  it("takes every kind of line, and once more changes nothing", async () => {
    expect(await bulk.imports(ALL)).toEqual({
      importId: "test",
      lines: 11,
      created: 11,
      unchanged: 0,
      bad: 0,
      badLines: [],
      lastNumber: 11,
      endOffset: 1_100,
    });
    const before = await bulk.exports();
    expect(await bulk.imports(ALL, { importId: "again" })).toMatchObject({ created: 0, unchanged: 11, bad: 0 });
    expect(await bulk.exports()).toEqual(before);
    expect(before.length).toBe(12);
  });
});
