/** Returns when the work has ended or `giveUp` is aborted; at once when there is none. Throws what the work throws. */
export async function settledOrAborted(working: Promise<void> | undefined, giveUp: AbortSignal): Promise<void> {
  const gaveUp = new Promise<void>((resolve) => giveUp.addEventListener("abort", () => resolve(), { once: true }));
  if (!giveUp.aborted) await Promise.race([working, gaveUp]);
}
