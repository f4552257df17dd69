/**
 * Ends a measurement of times: says how many kinds can be distinguished, closes what was open, in the order given, and
 * sets the exit code, which is 1 when there is one.
 */
export async function endOfTiming(
  distinguished: number,
  ...closing: readonly (() => Promise<unknown> | unknown)[]
): Promise<void> {
  console.log(
    distinguished === 0
      ? "\nNothing can be distinguished by its time."
      : `\n${distinguished} can be distinguished by their time.`,
  );
  for (const close of closing) await close();
  process.exitCode = distinguished === 0 ? 0 : 1;
}
