import type { AuditEntry } from "#runtime/audit/audit.ts";
import type { Change, ChangeOptions, Changes } from "#runtime/changes/change.ts";
import type { RepeatKey } from "#runtime/changes/repeated-request.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { revisionRepository } from "./revision-repository.ts";
import { RAISED_BY, type Raised, type RaisedBy, type WriteName } from "./revisions.ts";
import type { WorkforceTables } from "./tables.ts";

const ENDED = Symbol("ended");

/** The answer of a change that has said what it wrote: only `wrote`, `ended` and `unchanged` make one. */
export interface Ended<Answer> {
  readonly [ENDED]: Answer;
}

/** What a write is noted with: who made it, to which object, and whose answers look different afterwards. */
type Written<W extends WriteName> = Omit<AuditEntry, "action"> & RaisedBy<W>;

/** What a change of workforce's may do while its transaction is open. */
export interface WorkforceChange extends Omit<Change<WorkforceTables>, "audit"> {
  /** Notes the write: raises the revisions that its row of RAISED_BY names, and enters it in the audit log. Ends the change with its answer. */
  wrote<W extends WriteName, Answer>(name: W, written: Written<W>, answer: Answer): Promise<Ended<Answer>>;
  /** Notes one write of several; `ended` follows. */
  note<W extends WriteName>(name: W, written: Written<W>): Promise<void>;
  /** Ends a change whose writes are noted one by one. @throws Error when it has emitted events and noted no write. */
  ended<Answer>(answer: Answer): Ended<Answer>;
  /** Ends a change that wrote nothing. @throws Error when it has emitted events or noted a write. */
  unchanged<Answer>(answer: Answer): Ended<Answer>;
}

/** The one way in which workforce writes. */
export interface WorkforceChanges {
  /** As `Changes.run`; `work` ends by saying what it wrote, so that no revision is forgotten (R-G10). */
  run<Answer>(
    work: (change: WorkforceChange) => Promise<Ended<Answer>>,
    options?: ChangeOptions<Answer>,
  ): Promise<Answer>;
}

/** Changes whose writes go by the rows of RAISED_BY. */
export const workforceChanges = (changes: Changes<WorkforceTables>): WorkforceChanges => ({
  run: (work, options) => changes.run(async (change) => (await work(noting(change)))[ENDED], options),
});

function noting({ audit, emit, ...change }: Change<WorkforceTables>): WorkforceChange {
  const revisions = revisionRepository(change.db);
  let [isNoted, hasEmitted] = [false, false];
  const note: WorkforceChange["note"] = async (name, written) => {
    isNoted = true;
    await revisions.raise(raisedBy(name, written));
    const { actor, object, facts } = written;
    await audit({ actor, action: name, object, ...(facts !== undefined && { facts }) });
  };
  return {
    ...change,
    async emit(...events) {
      hasEmitted = true;
      await emit(...events);
    },
    note,
    async wrote(name, written, answer) {
      await note(name, written);
      return { [ENDED]: answer };
    },
    ended(answer) {
      if (hasEmitted && !isNoted) throw new Error("A change has emitted events and noted no write.");
      return { [ENDED]: answer };
    },
    unchanged(answer) {
      if (hasEmitted || isNoted) throw new Error("A change that has written says that it wrote nothing.");
      return { [ENDED]: answer };
    },
  };
}

/** Of what a write is noted with, the ids that its row names. */
function raisedBy(name: WriteName, written: object): Partial<Raised> {
  const row: readonly (keyof Raised)[] = RAISED_BY[name];
  return Object.fromEntries(row.map((whose) => [whose, (written as Partial<Raised>)[whose]]));
}

/** How a write is remembered: under its caller, method and request id, by the digest of its content, with its answer (R-G18). */
export const repeatable = <Request extends object, Answer>(
  request: Request & { readonly requestId: string },
  { path, peer, requestId }: Call,
  requestCodec: { encode(message: Request): { finish(): Uint8Array } },
  answer: RepeatKey<Answer>["answer"],
): ChangeOptions<Answer> => ({
  requestId,
  repeat: {
    requestId: request.requestId,
    caller: peer,
    method: path,
    content: requestCodec.encode(request).finish(),
    answer,
  },
});
