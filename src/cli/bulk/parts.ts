import { setTimeout as sleep } from "node:timers/promises";
import type {
  ImportLine,
  ImportProgress,
  ImportStart,
  ImportWorkforceRequest,
} from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { present } from "../connection/answers.ts";
import type { Asked } from "../connection/verb.ts";
import type { FilePosition } from "./file-lines.ts";

/**
 * Lines and bytes of one call: some seconds of work, so that progress is visible and little is repeated after an
 * interruption.
 */
const PART_LINES = 5_000;
const PART_BYTES = 16 * 1024 * 1024;
/** Lines behind the first of a tenant's standard roles that may belong to it. */
const ROLES_BEHIND = 2;
const MESSAGE_LINES = 250;
const MESSAGE_BYTES = 1024 * 1024;
/** A part that takes longer is stuck; an all-or-nothing import is one part of up to 50,000 lines. */
const PART_DEADLINE_MS = 5 * MINUTE_MS;
/** Waits between retries when Gatehouse is unreachable or overloaded; it may be restarting. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];

export interface ImportPlan {
  readonly start: ImportStart;
  /** Returns the lines behind a position; called again after a failure. */
  linesAfter(position: FilePosition): AsyncIterable<ImportLine>;
  /** Called after every stored part. */
  onProgress(progress: ImportProgress): Promise<void>;
  /** Called while lines are sent, with the bytes of the file so far. */
  onSent(endOffset: number): void;
  /** Aborted to send no further part; the one under way is finished. */
  readonly signal: AbortSignal;
}

/** The stored progress of the import; `undefined` when there is none. */
export async function progressOf({ bulk, call }: Asked, importId: string): Promise<ImportProgress | undefined> {
  try {
    return present((await bulk.getImport({ importId }, call)).progress);
  } catch (error) {
    if (error instanceof Failure && error.reason === "import_not_found") return undefined;
    throw error;
  }
}

/**
 * Sends everything behind the stored position in parts, one call each, so that no deadline ends a long import. After a
 * restart of Gatehouse it continues behind the stored position.
 * @throws Failure when Gatehouse refuses, or remains unreachable.
 */
export async function sendInParts(asked: Asked, plan: ImportPlan): Promise<ImportProgress> {
  let failures = 0;
  while (true) {
    try {
      return await sendRest(asked, plan, () => {
        failures = 0;
      });
    } catch (error) {
      // An all-or-nothing import has stored nothing yet, so it starts again.
      if (plan.start.allOrNothing && plan.signal.aborted) return nothing(plan.start.importId);
      const delay = RETRY_DELAYS_MS[failures++];
      if (!(error instanceof Failure) || !isPassing(error) || delay === undefined || plan.signal.aborted) throw error;
      await sleep(delay);
    }
  }
}

const isPassing = ({ code }: Failure): boolean => code === "UNAVAILABLE" || code === "DEADLINE_EXCEEDED";

async function sendRest(asked: Asked, plan: ImportPlan, onStored: () => void): Promise<ImportProgress> {
  let progress = (await progressOf(asked, plan.start.importId)) ?? nothing(plan.start.importId);
  const lines = plan.linesAfter(progress)[Symbol.asyncIterator]();
  try {
    for (let next = await lines.next(); !next.done && !plan.signal.aborted; ) {
      const part = new Part(plan, next.value, lines);
      const { allOrNothing } = plan.start;
      const options = { ...asked.call, deadlineMs: PART_DEADLINE_MS, ...(allOrNothing ? { signal: plan.signal } : {}) };
      progress = present((await asked.bulk.importWorkforce(part.messages(), options)).progress);
      onStored();
      await plan.onProgress(progress);
      next = part.next;
    }
    return progress;
  } finally {
    await lines.return?.();
  }
}

const nothing = (importId: string): ImportProgress => ({
  importId,
  lines: 0,
  created: 0,
  unchanged: 0,
  bad: 0,
  badLines: [],
  endOffset: 0,
  lastNumber: 0,
});

/** The messages of one call. Standard roles may have exchanged their names, and are imported together by one call (R-X69). */
class Part {
  /** The first line after the part. */
  next: IteratorResult<ImportLine>;
  readonly #plan: ImportPlan;
  readonly #lines: AsyncIterator<ImportLine>;

  constructor(plan: ImportPlan, first: ImportLine, lines: AsyncIterator<ImportLine>) {
    this.next = { done: false, value: first };
    this.#plan = plan;
    this.#lines = lines;
  }

  async *messages(): AsyncGenerator<ImportWorkforceRequest> {
    const { start, onSent } = this.#plan;
    const isWhole = start.allOrNothing;
    yield { start, lines: [] };
    let [count, bytes] = [0, 0];
    let last: ImportLine | undefined;
    while (!this.next.done && (isWhole || (count < PART_LINES && bytes < PART_BYTES))) {
      const lines: ImportLine[] = [];
      let messageBytes = 0;
      while (!this.next.done && lines.length < MESSAGE_LINES && messageBytes < MESSAGE_BYTES) {
        lines.push(this.next.value);
        messageBytes += this.next.value.json.length;
        this.next = await this.#lines.next();
      }
      yield { start: null, lines };
      count += lines.length;
      bytes += messageBytes;
      last = lines.at(-1);
      onSent(last?.endOffset ?? 0);
    }
    for (let more = 0; more < ROLES_BEHIND && last !== undefined && !this.next.done; more++) {
      if (!areOfOneTenant(last, this.next.value)) break;
      last = this.next.value;
      yield { start: null, lines: [last] };
      onSent(last.endOffset);
      this.next = await this.#lines.next();
    }
  }
}

/** True of two lines about standard roles of one tenant. */
const areOfOneTenant = (one: ImportLine, other: ImportLine): boolean => {
  const tenantId = standardRoleOf(other);
  return tenantId !== undefined && standardRoleOf(one) === tenantId;
};

/** The tenant whose standard role a line is about, by its form alone. */
function standardRoleOf({ json }: ImportLine): unknown {
  try {
    const { kind, standard, tenantId } = JSON.parse(json);
    return kind === "accessRole" && standard !== undefined ? tenantId : undefined;
  } catch {
    return undefined;
  }
}
