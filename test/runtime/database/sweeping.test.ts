import { inBatches, SWEEP_BATCH } from "../../../src/runtime/database/sweeping.ts";

/** Batches as the embedded store removes them: done before the call returns. */
const full = (batches: number) => {
  const removed: number[] = [];
  const remove = async () => {
    const count = removed.length < batches ? SWEEP_BATCH : SWEEP_BATCH - 1;
    removed.push(count);
    return count;
  };
  return { removed, remove };
};

describe("removing in batches", () => {
  it("continues until a batch is not full", async () => {
    const { removed, remove } = full(3);
    await inBatches(new AbortController().signal, remove);
    expect(removed).toHaveLength(4);
  });

  it("ends after the running batch when it is aborted", async () => {
    const ending = new AbortController();
    const { removed, remove } = full(100);
    await inBatches(ending.signal, async () => {
      if (removed.length === 2) ending.abort();
      return remove();
    });
    expect(removed).toHaveLength(3);
  });

  it("lets the process answer others between two batches, however many there are", async () => {
    const { removed, remove } = full(1_000);
    const seen: number[] = [];
    const asked = setInterval(() => void seen.push(removed.length), 0);
    await inBatches(new AbortController().signal, async () => {
      // As long as a batch takes, and nothing else can run meanwhile.
      const until = performance.now() + 0.2;
      while (performance.now() < until);
      return remove();
    });
    clearInterval(asked);
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen).size).toBeGreaterThan(10);
  });
});
