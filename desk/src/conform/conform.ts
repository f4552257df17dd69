import type { Check } from "./check.ts";
import { effectsNotVisible, judgeEffects } from "./effects.ts";
import type { Finding } from "./finding.ts";
import { FORGED_CHECKS } from "./forged-checks.ts";
import { GENUINE_CHECKS, IN_TIME } from "./genuine-checks.ts";
import { judge, type Receiver } from "./judge.ts";
import { making } from "./making.ts";

const CHECKS: readonly Check[] = [...GENUINE_CHECKS, ...FORGED_CHECKS];

interface Scoring extends Receiver {
  /** Of the endpoint's signing secret. */
  readonly key: Uint8Array;
  /** Answers GET with the number of events that the receiver has dealt with; `undefined`: it has none. */
  readonly countUrl: URL | undefined;
}

/**
 * Scores a receiver, one check after the other; each finding is given out as soon as it is there. When a genuine event
 * is not acknowledged, the rest is not judged: a receiver that refuses everything refuses forged events too.
 */
export async function* conform({ key, countUrl, ...receiver }: Scoring): AsyncGenerator<Finding> {
  const tools = making(key, () => new Date());
  const first = await judge(receiver, IN_TIME, tools);
  yield first;
  if (first.result === "failed") {
    yield* CHECKS.map(notJudged);
    yield* effectsNotVisible().map(notJudged);
    return;
  }
  for (const check of CHECKS) yield await judge(receiver, check, tools);
  yield* countUrl === undefined ? effectsNotVisible() : await judgeEffects(receiver, countUrl, tools);
}

const notJudged = ({ name, title, advice }: Pick<Check, "name" | "title" | "advice">): Finding => ({
  name,
  title,
  advice,
  result: "not judged",
  exchanges: [],
});
