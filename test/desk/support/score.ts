import { desk } from "./desk.ts";
import { type Incoming, runReceiver, type ServedReceiving } from "./receiver.ts";

/** One check of a report in JSON. */
export interface Checked {
  readonly name: string;
  readonly title: string;
  readonly result: string;
  readonly advice: string;
  readonly exchanges: readonly { readonly sent: string; readonly got: string; readonly isAsExpected: boolean }[];
}

/** Every check that a receiver is scored by, whatever the scheme. */
export const RULES = [
  ["in-time", "every-type", "unknown-type", "unknown-fields", "several-signatures", "unknown-signatures"],
  ["exact-bytes", "child-first", "out-of-order", "repeats"],
  ["signature-missing", "signature-empty", "signature-truncated", "signature-foreign", "id-changed", "body-changed"],
  ["timestamp-changed", "timestamp-missing", "timestamp-stale", "timestamp-future"],
  ["forged-without-effect", "effects-once"],
].flat();

interface Score {
  readonly exitCode: number;
  readonly conforms: boolean;
  readonly checks: readonly Checked[];
  /** Names of the checks that failed. */
  readonly failed: readonly string[];
  /** Names of the checks with this result. */
  readonly named: (result: string) => readonly string[];
  readonly received: readonly Incoming[];
}

/** Starts a receiver, and scores it with its count in sight. */
export async function scoreOf(
  receiving: ServedReceiving,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Score> {
  const { url, countUrl, received, close } = await runReceiver(receiving);
  try {
    const { exitCode, out } = await desk(["conform", url, "--json", "--count-url", countUrl, ...flags], env);
    const { conforms, checks } = JSON.parse(out) as { readonly conforms: boolean; readonly checks: readonly Checked[] };
    const named = (result: string) => checks.filter((check) => check.result === result).map(({ name }) => name);
    return { exitCode, conforms, checks, failed: named("failed"), named, received };
  } finally {
    await close();
  }
}
