import { lastUses } from "../../../src/runtime/process/last-uses.ts";

describe("last uses", () => {
  it("are written in the order of their ids, in whichever they were noted", async () => {
    const written: string[][] = [];
    const uses = lastUses<string, number>(async (all) => void written.push([...all.keys()]));
    for (const id of ["b", "c", "a", "b"]) uses.note(id, 1_000);
    await uses.flush();
    expect(written).toEqual([["a", "b", "c"]]);
  });

  it("are kept for the next write when a write fails", async () => {
    const written: ReadonlyMap<string, number>[] = [];
    let fails = true;
    const uses = lastUses<string, number>(async (all) => {
      if (fails) {
        uses.note("one", 2_000);
        throw new Error("The store is away.");
      }
      written.push(all);
    });
    uses.note("one", 1_000);
    uses.note("other", 1_000);
    // What is noted meanwhile is newer than what comes back from the write.
    await expect(uses.flush()).rejects.toThrow("The store is away.");
    fails = false;
    await uses.flush();
    await uses.flush();
    expect(written.map((all) => [...all].sort())).toEqual([
      [
        ["one", 2_000],
        ["other", 1_000],
      ],
    ]);
  });
});
