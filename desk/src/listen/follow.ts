import { type Gateway, isPassing, type Problem, problemError } from "../gateway/gateway.ts";
import type { Answer } from "../post.ts";
import type { CursorFile } from "./cursor-file.ts";
import { type FeedEvent, type FeedPage, readFeed } from "./feed.ts";
import type { Variant } from "./hostile.ts";
import { PassingTrouble } from "./passing-trouble.ts";

/** What listening reports about itself. */
export interface Notices {
  /** Its place is stored: what happens from now on is forwarded. */
  listening(): void;
  forwarded(variant: Variant, answer: Answer): void;
  /** Waits before it asks again, and why. */
  waiting(reason: string, ms: number): void;
  /** Events in between are no longer kept. */
  gap(): void;
}

export interface Following {
  readonly gateway: Gateway;
  readonly subscriptionId: string;
  readonly cursors: CursorFile;
  /** Where to begin when nothing is stored. */
  readonly from: "now" | "oldest";
  /** What is sent for the events of a page. */
  readonly variantsOf: (events: readonly FeedEvent[]) => Promise<readonly Variant[]>;
  /** True when the cursor can be stored after each variant: they are the events in their order. */
  readonly inOrder: boolean;
  readonly forward: (event: FeedEvent) => Promise<Answer>;
  readonly notices: Notices;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const WAIT_SECONDS = 25;
/** Signatures are as old as the reading; receivers accept five minutes. */
const PAGE_FRESH_MS = 60_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/**
 * Forwards the events of one subscription until it is stopped. The stored cursor moves when an event has been forwarded,
 * so one that was under way at a stop is forwarded again.
 * @throws CommandError when the gateway refuses for good.
 */
export async function follow(following: Following): Promise<void> {
  const { gateway, subscriptionId, cursors, from, notices, signal } = following;
  const begin = from === "now" ? "now" : undefined;
  let cursor = cursors.read() ?? begin;
  let troubles = 0;
  let isAnnounced = false;
  let begun: BegunPage | undefined;
  const wait = (reason: string, askedMs?: number) => {
    // A time that is asked for may be none, or a date that has passed: without a pause it would ask without end.
    const ms =
      askedMs === undefined ? Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** troubles) : Math.max(BACKOFF_MS, askedMs);
    troubles++;
    notices.waiting(reason, ms);
    return following.pause(ms, signal);
  };
  while (!signal.aborted) {
    if (cursor !== "now" && !isAnnounced) {
      notices.listening();
      isAnnounced = true;
    }
    // The first place is stored at once: what comes from here on is not missed, whatever happens.
    const waitSeconds = cursor === "now" || troubles > 0 ? 0 : WAIT_SECONDS;
    const answer = await readFeed(gateway, subscriptionId, { after: cursor, waitSeconds, signal });
    if (signal.aborted) return;
    if (answer.kind === "none") {
      await wait(`${gateway.address.origin} does not answer (${answer.reason})`);
    } else if (answer.kind === "foreign") {
      await wait(`what answers at ${gateway.address.href} is not the gateway`);
    } else if (answer.kind === "problem") {
      const before = cursor;
      cursor = await afterProblem(answer.problem, cursor, following, wait);
      if (cursor !== before) begun = undefined;
    } else {
      const page = answer.body as FeedPage;
      const forwarded = await forwardPage(page, following, begun);
      const { reached, trouble, waitMs } = forwarded;
      begun = forwarded.begun;
      cursor = reached ?? cursor;
      if (reached !== undefined) cursors.write(reached);
      if (trouble === undefined) troubles = 0;
      else await wait(trouble, waitMs);
    }
  }
}

const OF_CURSOR = "If it is about the cursor: begin again with --from now.";

async function afterProblem(
  problem: Problem,
  cursor: string | undefined,
  { notices, cursors }: Following,
  wait: (reason: string, ms?: number) => Promise<void>,
): Promise<string | undefined> {
  if (problem.keptFrom !== undefined) {
    notices.gap();
    cursors.write(problem.keptFrom);
    return problem.keptFrom;
  }
  if (!isPassing(problem)) throw problemError(problem, problem.status === 400 ? OF_CURSOR : undefined);
  await wait(`the gateway answers ${problem.status}`, problem.retryAfterMs);
  return cursor;
}

const silenceOf = ({ failure, excerpt, durationMs }: Answer): string =>
  failure === "timeout" ? `nothing within ${Math.round(durationMs / 1_000)} s` : excerpt;

/** A page that was left within, out of order: no cursor says how far it came, and it is read again for fresh signatures. */
interface BegunPage {
  /** How many events it had; more may have come since. */
  readonly events: number;
  /** How many of its variants were answered. */
  readonly answered: number;
}

interface Forwarded {
  /** The cursor that was reached. */
  readonly reached: string | undefined;
  /** What stopped before the end of the page. */
  readonly trouble?: string;
  /** How long to wait for it to pass, where that was said. */
  readonly waitMs?: number | undefined;
  readonly begun?: BegunPage;
}

/** Forwards a page, or the rest of one that was begun. */
async function forwardPage(
  { data, next }: FeedPage,
  { variantsOf, inOrder, forward, notices, cursors, now, signal }: Following,
  begun: BegunPage | undefined,
): Promise<Forwarded> {
  const readAt = now();
  const events = data.slice(0, begun?.events);
  let answered = begun?.answered ?? 0;
  let reached: string | undefined;
  const left = () => ({ reached, ...(inOrder ? {} : { begun: { events: events.length, answered } }) });
  const variants = await variantsOf(events).catch((error: unknown) => {
    if (error instanceof PassingTrouble) return error;
    throw error;
  });
  if (variants instanceof PassingTrouble) return { ...left(), trouble: variants.message, waitMs: variants.waitMs };
  for (const variant of variants.slice(answered)) {
    if (signal.aborted || now() - readAt > PAGE_FRESH_MS) return left();
    const answer = await forward(variant.event);
    // Kept until it is answered, also while the program stands at a breakpoint (R-X321).
    if (answer.failure !== undefined)
      return { ...left(), trouble: `your program does not answer (${silenceOf(answer)})` };
    notices.forwarded(variant, answer);
    answered++;
    if (!inOrder) continue;
    reached = variant.event.cursor;
    cursors.write(reached);
  }
  return { reached: events.length < data.length ? events.at(-1)?.cursor : next };
}
