import { setTimeout as pause } from "node:timers/promises";
import type { Exchange, Finding } from "./finding.ts";
import { inWords, type Receiver, sendTo } from "./judge.ts";
import { type MadePost, type RequestMaker, withHeaders } from "./request-maker.ts";
import { randomSignature } from "./signer.ts";

const TYPE = "client.created";
const LOOK_EVERY_MS = 100;
/** As often as the number must stay the same before it counts. */
const SAME_READINGS = 3;
const READ_WITHIN_MS = 5_000;

/** Rules about what a receiver does with events, seen only where it says how many it has dealt with. */
const ONCE = {
  name: "effects-once",
  title: "Deals with an event once, however often it comes.",
  advice: "Keep the ids (webhook-id) that you have dealt with, for 30 days at least, and skip one that comes again.",
};
const FORGED = {
  name: "forged-without-effect",
  title: "Does nothing with a forged event, and keeps nothing of it.",
  advice: "Verify first. Neither act on a refused event nor remember its id: the genuine one may come after it.",
};

const NOT_VISIBLE =
  "Give --count-url, an address of your receiver that answers GET with the number of events it has dealt with.";

/** The same two findings when the receiver's effects cannot be seen. */
export const effectsNotVisible = (advice: string = NOT_VISIBLE): readonly Finding[] =>
  [FORGED, ONCE].map((rule) => ({ ...rule, advice, result: "not visible", exchanges: [] }));

/** Sends forged and repeated events, and watches the receiver's count. */
export async function judgeEffects(
  receiver: Receiver,
  countUrl: URL,
  maker: RequestMaker,
): Promise<readonly Finding[]> {
  const begin = await readCount(countUrl);
  if (begin === undefined)
    return effectsNotVisible(`${countUrl} did not answer with a number, or with JSON {"count": …}.`);
  const counts = await counted(receiver, countUrl, {
    sent: TYPE,
    post: await oneOf(maker),
    before: begin,
    added: 1,
  });
  if (!counts.isAsExpected) return effectsNotVisible(`${countUrl} did not count a genuine event: ${counts.got}.`);
  return [await judgeForged(receiver, countUrl, maker), await judgeRepeats(receiver, countUrl, maker)];
}

async function judgeForged(receiver: Receiver, countUrl: URL, maker: RequestMaker): Promise<Finding> {
  const before = (await settledCount(countUrl, 0, receiver.timeoutMs)) ?? 0;
  const genuine = await oneOf(maker);
  const forged = withHeaders(genuine, { "webhook-signature": randomSignature(maker.scheme) });
  const first = await counted(receiver, countUrl, {
    sent: `${TYPE}, with a signature of random bytes`,
    post: forged,
    before,
    added: 0,
  });
  const second = await counted(receiver, countUrl, {
    sent: "the genuine event with the same webhook-id",
    post: genuine,
    before,
    added: 1,
  });
  return findingOf(FORGED, [first, second]);
}

async function judgeRepeats(receiver: Receiver, countUrl: URL, maker: RequestMaker): Promise<Finding> {
  const before = (await settledCount(countUrl, 0, receiver.timeoutMs)) ?? 0;
  const one = await oneOf(maker);
  const first = await counted(receiver, countUrl, { sent: TYPE, post: one, before, added: 1 });
  await sendTo(receiver, one);
  const other = await counted(receiver, countUrl, {
    sent: "the same event again, then another",
    post: await oneOf(maker),
    before,
    added: 2,
  });
  return findingOf(ONCE, [first, other]);
}

/** A genuine request. */
async function oneOf({ genuine }: RequestMaker): Promise<MadePost> {
  const [post] = await genuine({ type: TYPE });
  if (post === undefined) throw new Error("Nothing was made.");
  return post;
}

interface Counted {
  readonly sent: string;
  readonly post: MadePost;
  /** The count before the first POST of the rule, and what should have been added by now. */
  readonly before: number;
  readonly added: number;
}

async function counted(receiver: Receiver, url: URL, { sent, post, before, added }: Counted): Promise<Exchange> {
  const answer = await sendTo(receiver, post);
  const count = await settledCount(url, before + added, receiver.timeoutMs);
  return {
    sent,
    expected: `a count of ${before + added}`,
    got: `${inWords(answer, receiver.timeoutMs)}, then a count of ${count ?? "no number"}`,
    isAsExpected: count === before + added,
  };
}

const findingOf = (rule: typeof ONCE, exchanges: readonly Exchange[]): Finding => ({
  ...rule,
  result: exchanges.every(({ isAsExpected }) => isAsExpected) ? "passed" : "failed",
  exchanges,
});

/** The count once it has reached `least` and stays the same; what it is when it does not get there in time. */
async function settledCount(url: URL, least: number, withinMs: number): Promise<number | undefined> {
  const end = performance.now() + withinMs;
  let last: number | undefined;
  let same = 0;
  while (performance.now() < end) {
    const count = await readCount(url);
    same = count === last ? same + 1 : 1;
    last = count;
    if (same >= SAME_READINGS && count !== undefined && count >= least) return count;
    await pause(LOOK_EVERY_MS);
  }
  return last;
}

/** A number as text, or as the member `count` of an object; `undefined` for everything else. */
async function readCount(url: URL): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
    const value: unknown = answer.ok ? JSON.parse(await answer.text()) : undefined;
    const count = typeof value === "object" && value !== null ? (value as { count?: unknown }).count : value;
    return Number.isInteger(count) ? (count as number) : undefined;
  } catch {
    return undefined;
  }
}
