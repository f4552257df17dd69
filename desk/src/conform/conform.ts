import { type Check, type Rule, ruleFor } from "./check.ts";
import { effectsNotVisible, judgeEffects } from "./effects.ts";
import type { Finding } from "./finding.ts";
import { FORGED_CHECKS, publicKeyAsSecret } from "./forged-checks.ts";
import { GENUINE_CHECKS, IN_TIME } from "./genuine-checks.ts";
import { judge, type Receiver } from "./judge.ts";
import type { RequestMaker } from "./request-maker.ts";
import type { Scheme } from "./signer.ts";

const CHECKS: readonly Check[] = [...GENUINE_CHECKS, ...FORGED_CHECKS];

interface Scoring extends Receiver {
  /** By the endpoint's signing secret, by the key pair whose public key it has, or by the gateway. */
  readonly maker: RequestMaker;
  /** Answers GET with the number of events that the receiver has dealt with; `undefined`: it has none. */
  readonly countUrl: URL | undefined;
}

/**
 * Scores a receiver, one check after the other; each finding is given out as soon as it is there. When a genuine event
 * is not acknowledged, the rest is not judged: a receiver that refuses everything refuses forged events too.
 */
export async function* conform({ maker, countUrl, ...receiver }: Scoring): AsyncGenerator<Finding> {
  const { publicKeys, scheme } = maker;
  const checks = publicKeys.length === 0 ? CHECKS : [...CHECKS, publicKeyAsSecret(publicKeys)];
  const first = await judge(receiver, IN_TIME, maker);
  yield first;
  if (first.result === "failed") {
    for (const rule of [...checks, ...effectsNotVisible()]) yield notJudged(rule, scheme);
    return;
  }
  for (const check of checks) yield await judge(receiver, check, maker);
  yield* countUrl === undefined ? effectsNotVisible() : await judgeEffects(receiver, countUrl, maker);
}

const notJudged = (rule: Rule, scheme: Scheme): Finding => ({
  ...ruleFor(rule, scheme),
  result: "not judged",
  exchanges: [],
});
