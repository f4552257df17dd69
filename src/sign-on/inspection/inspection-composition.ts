import { InspectionService } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import { refusalLoop, writeRefusals } from "#runtime/refusals/refusal-loop.ts";
import { refusalNotes } from "#runtime/refusals/refusal-notes.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { noteRefusals, notingRefusals } from "../refusals/noting.ts";
import { kindOf } from "../refusals/refusal.ts";
import { refusalRepository } from "../refusals/refusal-repository.ts";
import type { SignOnTables } from "../tables.ts";
import { type ExplainPersonDeps, explainPerson } from "./explain-person-service.ts";
import { explainRefusal } from "./explain-refusal-service.ts";
import { type ExplainTokenDeps, explainToken } from "./explain-token-service.ts";
import { listRefusals } from "./list-refusals-service.ts";
import { tokenRecordRepository } from "./token-record-repository.ts";

interface InspectionCompositionDeps extends Omit<ExplainTokenDeps, "records">, Omit<ExplainPersonDeps, "workforce"> {
  readonly db: Database<SignOnTables>;
  readonly log: Log;
  readonly applications: ApplicationRepository;
  readonly clock: Clock;
  /** By which rows are removed for good. */
  readonly sweepClock: Clock;
}

interface InspectionComposition {
  readonly registrations: readonly Registration[];
  /** Stores the noted refusals, and deletes old ones. */
  readonly writing: Loop;
  /** Stores what was noted since the loop ended. */
  writeNotes(): Promise<void>;
  /** Registers services of the edge, whose refusals are noted. */
  readonly noting: ReturnType<typeof notingRefusals>;
}

/** Notes every refusal, and answers operators who ask about refusals and tokens. */
export function composeInspection(deps: InspectionCompositionDeps): InspectionComposition {
  const { db, clock, sweepClock, log } = deps;
  const notes = refusalNotes(clock, kindOf);
  const refusals = refusalRepository(db);
  return {
    registrations: [
      registration(RefusalsService, { noteRefusals: noteRefusals({ notes, clock }) }),
      registration(InspectionService, {
        explainRefusal: explainRefusal({ ...deps, notes, refusals }),
        listRefusals: listRefusals({ refusals }),
        explainPerson: explainPerson(deps),
        explainToken: explainToken({ ...deps, records: tokenRecordRepository(db) }),
      }),
    ],
    writing: refusalLoop("sign-on-refusals", { notes, refusals, clock: sweepClock }),
    writeNotes: () => writeRefusals({ notes, refusals }),
    noting: notingRefusals({ notes, clock, log }),
  };
}
