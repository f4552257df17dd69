import type { Loop } from "../../src/runtime/process/loop.ts";

/** Runs all the passes of a loop up to its next wait. */
export async function oneRound({ run }: Pick<Loop, "run">): Promise<void> {
  const ending = new AbortController();
  await run(ending.signal, async (work) => {
    const result = await work(new AbortController().signal);
    ending.abort();
    return result;
  });
}

/** Begins loops and ends them at once, which is one of the times when they write what was noted. */
export async function endedAtOnce(loops: readonly Pick<Loop, "run">[]): Promise<void> {
  const ending = new AbortController();
  const running = loops.map((loop) => loop.run(ending.signal));
  ending.abort();
  await Promise.all(running);
}
