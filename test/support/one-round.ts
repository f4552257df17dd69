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
