import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type AuditEntry, type AuditTables, appendToAudit, isAudited } from "../audit/audit.ts";
import type { Clock } from "../basis/clock.ts";
import { unavailable } from "../basis/errors.ts";
import { newTimedId } from "../basis/ids.ts";
import { runAlone, runInsideChange } from "../basis/inside-change.ts";
import type { Random } from "../basis/random.ts";
import { type Database, isRetryable, type Store, seenAs, type Transaction } from "../database/database.ts";
import { runFor } from "../database/deadlines.ts";
import { lossOf } from "../database/postgres/postgres-trouble.ts";
import { appendToOutbox, OUTBOX_CHANNEL, type OutboxEntry } from "../outbox/outbox.ts";
import type { Wake } from "../wake/wake.ts";
import { type ChangeTables, firstUse, type RepeatKey, remember } from "./repeated-request.ts";

const TRIES = 4;

/** Operations of a change while its transaction is open. */
export interface Change<T> {
  /** The owner's tables, inside the transaction. */
  readonly db: Transaction<T>;
  /** The instant of the change; one value for everything it writes. */
  readonly at: Date;
  /** True when an earlier try got no answer: all of it may be done already. Only for work that recognizes itself. */
  readonly mayBeDone: boolean;
  /** Appends events in order, to be delivered after the commit; or internal entries for our own domains. */
  emit(...events: readonly Omit<OutboxEntry, "eventId" | "occurredAt">[]): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
  /**
   * Does what a rollback cannot undo, such as a count in memory: once for `of` in this change, however often its transaction
   * is repeated. A repetition gets the first result. What `make` throws ends the change.
   */
  once<V>(of: object, make: () => V): V;
  /** Signals a channel of `wake` once the transaction is committed. */
  wakeAfter(channel: string): void;
}

export interface ChangeOptions<Answer> {
  /** Names the request in the audit log. */
  readonly requestId?: string | undefined;
  readonly repeat?: RepeatKey<Answer> | undefined;
  /**
   * The work finds what an earlier try of its own has done (`mayBeDone`), or may be done twice: then it is also repeated when
   * its connection was lost after its commit was sent (R-X333).
   */
  readonly recognizesItself?: boolean;
  /** For work that takes long or waits for more than the store: the embedded store gives it a commit of its own. */
  readonly alone?: boolean;
  /** Calls each attempt, a repetition too, when its turn comes; without, it begins at once. */
  readonly inTurn?: (<A>(attempt: () => Promise<A>) => Promise<A>) | undefined;
}

/** Thrown by the work of a change to have it repeated in another transaction, as after a conflict. */
export class BeginAgain extends Error {
  override readonly name = "BeginAgain";
}

/** The one way to write: everything in `work` commits together or not at all. */
export interface Changes<T> {
  /**
   * begin · repeated request? its first answer · work · commit · wake; the relay is woken before a commit that it can
   * share, else once the answer has left. Only this store may be awaited inside: a call to another domain is refused.
   * Where the answer to the commit is lost, the audit log shows whether it counted (R-X333).
   * @throws ALREADY_EXISTS (request_id_reused) when the request id came with other content; FAILED_PRECONDITION
   * (answer_erased) when what its answer showed has been erased; UNAVAILABLE when the store remains locked.
   */
  run<Answer>(work: (change: Change<T>) => Promise<Answer>, options?: ChangeOptions<Answer>): Promise<Answer>;
  /**
   * A change of one statement, which is a transaction by itself: no questions before and after it. `work` asks `db`
   * once, by a condition that holds once: its commit is sent with it, so when its connection is lost it may have counted.
   * Then it is repeated once, with the same instant, and `work` has to recognize what it did (R-X333).
   * @throws UNAVAILABLE when the store remains locked, or is lost again.
   */
  one<Answer>(work: (change: OneChange<T>) => Promise<Answer>): Promise<Answer>;
}

/** A change of one statement. */
interface OneChange<T> extends Pick<Change<T>, "at" | "mayBeDone"> {
  readonly db: Database<T>;
}

/** What a change answers, and the channels that it signals. */
interface Made<Answer> {
  readonly answer: Answer;
  readonly channels: ReadonlySet<string>;
}

/** What a try is about to commit, and its last entry in the audit log. */
interface Written<Answer> extends Made<Answer> {
  readonly audited: { readonly entry: AuditEntry; readonly requestId: string; readonly at: Date } | undefined;
}

/** What changes are made with. */
export interface ChangesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
}

export function createChanges<T>({ store, clock, random, wake }: ChangesDeps): Changes<T> {
  const db: Database<T> = store.view<T>();

  const attempt = async <Answer>(
    work: (change: Change<T>) => Promise<Answer>,
    { requestId = "", repeat }: ChangeOptions<Answer>,
    { once, mayBeDone, commits }: Pick<Change<T>, "once" | "mayBeDone"> & { commits(written: Written<Answer>): void },
  ): Promise<Made<Answer>> => {
    const channels = new Set<string>();
    let audited: Written<Answer>["audited"];
    // The relay takes entries that are not committed yet, in the same commit (decision 0075).
    const announceEarly = () => {
      channels.delete(OUTBOX_CHANNEL);
      wake.signal(OUTBOX_CHANNEL);
    };
    const answer = await db.transaction().execute((tx) =>
      runInsideChange(async () => {
        const at = clock.now();
        const requests = seenAs<ChangeTables>(tx);
        const first = await firstUse(requests, repeat, at);
        if (first !== undefined) return first.answer;
        const result = await work({
          db: tx,
          at,
          mayBeDone,
          async emit(...events) {
            if (!channels.has(OUTBOX_CHANNEL)) store.beforeCommit(announceEarly);
            channels.add(OUTBOX_CHANNEL);
            const entries = events.map((event) => ({
              ...event,
              eventId: newTimedId("event", at, random),
              occurredAt: at,
            }));
            await appendToOutbox(tx, ...entries);
          },
          async audit(entry) {
            audited = { entry, requestId, at };
            await appendToAudit(tx, entry, requestId, at);
          },
          once,
          wakeAfter: (channel) => void channels.add(channel),
        });
        await remember(requests, repeat, result);
        commits({ answer: result, channels, audited });
        return result;
      }),
    );
    return { answer, channels };
  };

  /** Whether a commit without an answer has counted, as its entry in the audit log shows; `false` when that is not known. */
  const hasCounted = async ({ audited }: Written<unknown>): Promise<boolean> => {
    if (audited === undefined || audited.requestId === "") return false;
    return isAudited(store.view<AuditTables>(), audited.entry, audited.requestId, audited.at).catch(() => false);
  };

  /** Repeats what `mayRepeat` finds harmless and, with pauses, what lost against another transaction. */
  const repeating = async <Answer>(attempted: () => Promise<Answer>, mayRepeat: (error: unknown) => boolean) => {
    for (let tried = 1; ; tried++) {
      try {
        return await attempted();
      } catch (error) {
        if (tried === 1 && mayRepeat(error)) continue;
        if (!(error instanceof BeginAgain) && !isRetryable(error)) throw error;
        if (tried === TRIES)
          throw unavailable("The store is busy.", { cause: error, detail: "still locked after several tries" });
        await sleep(random.bytes(1).readUInt8() * tried * 0.2);
      }
    }
  };

  return {
    async run<Answer>(work: (change: Change<T>) => Promise<Answer>, options: ChangeOptions<Answer> = {}) {
      const once = onceEach();
      const { inTurn = atOnce } = options;
      let mayBeDone = false;
      let written: Written<Answer> | undefined;
      const commits = (now: Written<Answer>) => {
        written = now;
      };
      const attempted = () => inTurn(() => attempt(work, options, { once, mayBeDone, commits }));
      const { answer, channels } = await repeating(
        () => (options.alone ? runAlone(() => runFor("import", attempted)) : attempted()),
        (error) => {
          mayBeDone = lossOf(error) === "unknown";
          return isLostAndHarmless(error, options);
        },
      ).catch(async (error: unknown) => {
        if (written !== undefined && lossOf(error) === "unknown" && (await hasCounted(written))) return written;
        throw error;
      });
      for (const channel of channels) {
        if (channel === OUTBOX_CHANNEL) void answerLeaves().then(() => wake.signal(channel));
        else wake.signal(channel);
      }
      return answer;
    },
    one(work) {
      const at = clock.now();
      let mayBeDone = false;
      return repeating(
        () => work({ db, at, mayBeDone }),
        (error) => {
          mayBeDone = lossOf(error) !== undefined;
          return mayBeDone;
        },
      );
    },
  };
}

const atOnce: NonNullable<ChangeOptions<never>["inTurn"]> = (attempt) => attempt();

/** Results by what they are of, for all transactions of one change. */
function onceEach(): Change<never>["once"] {
  const made = new Map<object, unknown>();
  return <V>(of: object, make: () => V): V => {
    if (!made.has(of)) made.set(of, make());
    return made.get(of) as V;
  };
}

/**
 * Two turns of the event loop: in the first the message leaves that answers a change, in the second its trailers, without
 * which the caller has no answer. Only then the relay is woken, whose statements on an embedded store are work of the same
 * thread. More changes may come meanwhile, and are relayed together.
 */
async function answerLeaves(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * True when a change that lost its connection may be retried: it cannot have been committed, or its request id shows
 * whether it was (R-X182), or its work does (R-X333).
 */
const isLostAndHarmless = (
  error: unknown,
  { repeat, recognizesItself = false }: ChangeOptions<never> | ChangeOptions<unknown>,
): boolean => {
  const loss = lossOf(error);
  return loss === "uncommitted" || (loss === "unknown" && (recognizesItself || (repeat?.requestId ?? "") !== ""));
};
