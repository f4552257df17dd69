/**
 * Runs a series. When it fails, that is one line on standard error, the result is `undefined`, and the program, which goes on
 * with the others, ends with exit code 1.
 */
export async function attempted<T>(what: string, series: () => Promise<T>): Promise<T | undefined> {
  try {
    return await series();
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split("\n");
    process.stderr.write(`The series “${what}” failed: ${why}\n`);
    process.exitCode = 1;
    return undefined;
  }
}
