import { setImmediate as turn } from "node:timers/promises";
import type {
  GetImportRequest,
  GetImportResponse,
  ImportLine,
  ImportProgress,
  ImportStart,
  ImportWorkforceRequest,
  ImportWorkforceResponse,
} from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { failedPrecondition, notFound } from "#runtime/basis/errors.ts";
import type { Random } from "#runtime/basis/random.ts";
import { isSqlite } from "#runtime/database/database.ts";
import { type Call, cancelled } from "#runtime/rpc/call.ts";
import type { EmitPersonChanged } from "../people/changed-person-service.ts";
import { readFields } from "../request-fields.ts";
import type { WorkforceChange, WorkforceChanges } from "../writes-service.ts";
import { storeLines } from "./batch-service.ts";
import { BAD_LINES_MAX, type BadLine, type ImportPosition, type Judged, positionAfter } from "./import-position.ts";
import { type ImportRepository, importRepository } from "./import-repository.ts";
import type { Verdict } from "./kinds/import-run.ts";
import { lockNamed, type NamedByLines, namedByLines } from "./locked-lines-service.ts";
import { IMPORT_ID_LENGTH_MAX, inBatches, readSent, readStart, type SentLine } from "./sent-lines.ts";

interface ImportDeps {
  readonly imports: ImportRepository;
  readonly changes: WorkforceChanges;
  readonly clock: Clock;
  /** By which what is remembered is forgotten. */
  readonly sweepClock: Clock;
  readonly random: Random;
  readonly emitPersonChanged: EmitPersonChanged;
}

const ALL_OR_NOTHING_LINES_MAX = 50_000;
const ALL_OR_NOTHING_BYTES_MAX = 64 * 1024 * 1024;
/** How long it is remembered how far an import came. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Takes lines of one import in batches, each one transaction with the position behind it. No lock is kept while the caller is
 * waited for: lines are collected first. Lines that were dealt with before are passed over by their number.
 * @throws INVALID_ARGUMENT for the start, for numbers that do not grow and for negative positions; FAILED_PRECONDITION (too_many_lines) for all-or-nothing,
 * (other_file) when the import was of another file, (other_position) when it is not where the call goes on.
 */
export const importWorkforce =
  (deps: ImportDeps) =>
  async (requests: AsyncIterable<ImportWorkforceRequest>, call: Call): Promise<ImportWorkforceResponse> => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    const start = readStart(first.done ? null : first.value.start);
    const batches = inBatches(first.value as ImportWorkforceRequest, messages);
    if (start.allOrNothing) return { progress: await importAll(deps, start, batches, call) };
    let from = start;
    for await (const batch of batches) {
      assertWanted(call);
      await storeBatch(deps, from, batch, call);
      from = behind(from, batch);
      // Everything above runs without a pause on an embedded store; now others may.
      await turn();
    }
    const progress = await progressOf(deps, start.importId);
    assertReached(progress, from);
    return { progress };
  };

/** @throws NOT_FOUND (import_not_found). */
export const getImport =
  (deps: ImportDeps) =>
  async (request: GetImportRequest): Promise<GetImportResponse> => {
    const importId = readFields((fields) => fields.text("import_id", request.importId, IMPORT_ID_LENGTH_MAX));
    if (!(await deps.imports.find(importId)))
      throw notFound("import_not_found", "Nothing of this import was stored within the last 30 days.");
    return { progress: await progressOf(deps, importId) };
  };

async function storeBatch(deps: ImportDeps, start: ImportStart, lines: readonly ImportLine[], call: Call) {
  const now = deps.clock.now();
  const sent = lines.map((line) => readSent(line, now));
  await deps.changes.run(async (change) => change.ended(await advance(change, deps, start, sent, call)), {
    requestId: call.requestId,
  });
}

/** Stores the lines that were not dealt with before, and the position behind them. */
async function advance(
  change: WorkforceChange,
  { random, emitPersonChanged, sweepClock }: ImportDeps,
  { importId, emitEvents, afterNumber }: ImportStart,
  sent: readonly SentLine[],
  { actor }: Call,
): Promise<Judged> {
  const imports = importRepository(change.db);
  const before = await imports.lock(importId, change.at);
  assertGoesOn(before, afterNumber, sent);
  assertSameFile(before, sent);
  const lines = sent.filter(({ number }) => number > before.lastNumber);
  const [firstLine] = lines;
  if (firstLine === undefined) return [];
  if (before.lines === 0) await imports.removeBefore(new Date(sweepClock.now().getTime() - REMEMBERED_MS));
  const good = lines.flatMap(({ read }) => ("bad" in read ? [] : [read]));
  const { verdicts: each, touched } = await storeLines(change, good, { random, emitEvents, emitPersonChanged });
  const verdicts = each.values();
  const judged: Judged = lines.map(({ number, endOffset, read }) => ({
    number,
    endOffset,
    verdict: "bad" in read ? read : (verdicts.next().value as Verdict),
  }));
  const { position, bad } = positionAfter(before, judged);
  await imports.replace(importId, position, bad.slice(0, Math.max(0, BAD_LINES_MAX - before.bad)), change.at);
  const facts = {
    fromLine: firstLine.number,
    toLine: position.lastNumber,
    created: position.created - before.created,
    unchanged: position.unchanged - before.unchanged,
    bad: bad.length,
  };
  const shownBy = { tenants: [...touched.tenants], instances: [...touched.instances] };
  await change.note("import.store", { actor, object: importId, facts, ...shownBy });
  return judged;
}

/**
 * Lines that were handled are passed over by their numbers: those of another file would be lost without a word.
 * @throws FAILED_PRECONDITION (other_file) when the line at which the import stopped ended elsewhere.
 */
function assertSameFile({ lastNumber, endOffset }: ImportPosition, sent: readonly SentLine[]): void {
  const again = sent.find(({ number }) => number === lastNumber);
  if (again === undefined || again.endOffset === endOffset) return;
  throw failedPrecondition(
    "other_file",
    `The lines up to ${lastNumber} were handled under this import_id, and that one ended at byte ${endOffset}, not ${again.endOffset}. Another file, or an edited one, needs an import_id of its own; what is stored of it is unchanged then.`,
    { named: ["import_id"] },
  );
}

/** Where the next batch goes on, in a call that says where it does. */
const behind = (start: ImportStart, batch: readonly ImportLine[]): ImportStart =>
  start.afterNumber === undefined ? start : { ...start, afterNumber: batch.at(-1)?.number };

/** @throws FAILED_PRECONDITION (other_position) when lines are missing before these, or these pass by the line at which the import stopped. */
function assertGoesOn(
  { lastNumber }: ImportPosition,
  afterNumber: number | undefined | null,
  sent: readonly SentLine[],
) {
  if (typeof afterNumber !== "number") return;
  if (afterNumber > lastNumber)
    throw failedPrecondition(
      "other_position",
      `This part goes on behind line ${afterNumber}, and the import has come to line ${lastNumber}. Send the lines between first: those of a part that comes late would be passed over.`,
    );
  const next = sent.find(({ number }) => number >= lastNumber);
  if (afterNumber < lastNumber && next !== undefined && next.number > lastNumber) throw passedOver(lastNumber);
}

/** @throws FAILED_PRECONDITION (other_position) when all lines came before the one at which the import stopped. */
function assertReached({ lastNumber }: { readonly lastNumber: number }, { afterNumber }: ImportStart): void {
  if (typeof afterNumber === "number" && afterNumber < lastNumber) throw passedOver(lastNumber);
}

const passedOver = (lastNumber: number) =>
  failedPrecondition(
    "other_position",
    `The import has come to line ${lastNumber} under this import_id, which is not in this part. Another file, or an edited one, needs an import_id of its own; the same file goes on behind that line.`,
    { named: ["import_id"] },
  );

/** Collects everything, then stores it in one transaction; one bad line and nothing of it stays. */
async function importAll(
  deps: ImportDeps,
  start: ImportStart,
  batches: AsyncIterable<readonly ImportLine[]>,
  call: Call,
): Promise<ImportProgress> {
  const { signal } = call;
  const collected: (readonly ImportLine[])[] = [];
  let [lines, bytes] = [0, 0];
  for await (const batch of batches) {
    collected.push(batch);
    lines += batch.length;
    bytes += batch.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    if (lines > ALL_OR_NOTHING_LINES_MAX || bytes > ALL_OR_NOTHING_BYTES_MAX)
      throw failedPrecondition(
        "too_many_lines",
        `All or nothing takes at most ${ALL_OR_NOTHING_LINES_MAX} lines of together 64 MiB. Import without it; then each line is stored or refused by itself.`,
      );
  }
  const now = deps.clock.now();
  const bad: BadLine[] = [];
  const attempt = deps.changes.run(
    async (change) => {
      bad.length = 0;
      await lockAhead(change, start, collected, now, signal);
      let from = start;
      for (const batch of collected) {
        if (signal.aborted) throw cancelled();
        const sent = batch.map((line) => readSent(line, now));
        const judged = await advance(change, deps, from, sent, call);
        from = behind(from, batch);
        bad.push(...positionAfter(NOWHERE, judged).bad);
        await turn();
      }
      if (bad.length > 0) throw new TakenBack();
      return change.ended(undefined);
    },
    { requestId: call.requestId, alone: true },
  );
  try {
    await attempt;
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    return { importId: start.importId, ...NOWHERE, bad: bad.length, badLines: bad.slice(0, BAD_LINES_MAX) };
  }
  const progress = await progressOf(deps, start.importId);
  assertReached(progress, collected.reduce(behind, start));
  return progress;
}

/**
 * Locks what all batches are about before the first is stored, so that none locks a tenant after the people of another one
 * and waits for a change that waits for them. SQLite's writer is alone anyway.
 */
async function lockAhead(
  { db, at }: WorkforceChange,
  { importId }: ImportStart,
  batches: readonly (readonly ImportLine[])[],
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  // One batch locks all by itself.
  if (isSqlite(db) || batches.length < 2) return;
  const { lastNumber } = await importRepository(db).lock(importId, at);
  const named: NamedByLines[] = [];
  for (const batch of batches) {
    if (signal.aborted) throw cancelled();
    const reads = batch.filter(({ number }) => number > lastNumber).map((line) => readSent(line, now).read);
    named.push(namedByLines(reads.flatMap((read) => ("bad" in read ? [] : [read]))));
    await turn();
  }
  await lockNamed(db, named);
}

/** Ends a change without leaving anything of it. */
class TakenBack extends Error {}

const NOWHERE: ImportPosition = { lines: 0, created: 0, unchanged: 0, bad: 0, lastNumber: 0, endOffset: 0 };

async function progressOf({ imports }: ImportDeps, importId: string): Promise<ImportProgress> {
  const [position = NOWHERE, badLines] = [await imports.find(importId), await imports.listBadLines(importId)];
  return { importId, ...position, badLines };
}

/** What was stored so far stays, whether or not somebody still waits for the rest. */
function assertWanted({ signal }: Call): void {
  if (signal.aborted) throw cancelled();
}
