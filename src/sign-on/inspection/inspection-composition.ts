import { InspectionService } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Database } from "#runtime/database/database.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import { noteRefusals, notingRefusals } from "../refusals/noting.ts";
import { refusalLoop } from "../refusals/refusal-loop.ts";
import { refusalNotes } from "../refusals/refusal-notes.ts";
import { refusalRepository } from "../refusals/refusal-repository.ts";
import type { SignOnTables } from "../tables.ts";
import { explainRefusal } from "./explain-refusal-service.ts";
import { type ExplainTokenDeps, explainToken } from "./explain-token-service.ts";
import { tokenRecordRepository } from "./token-record-repository.ts";

interface InspectionCompositionDeps extends Omit<ExplainTokenDeps, "records"> {
  readonly db: Database<SignOnTables>;
  readonly log: Log;
}

interface InspectionComposition {
  readonly registrations: readonly Registration[];
  /** Stores the noted refusals, and deletes old ones. */
  readonly writing: Loop;
  /** Registers services of the edge, whose refusals are noted. */
  readonly noting: ReturnType<typeof notingRefusals>;
}

/** Notes every refusal, and answers operators who ask about refusals and tokens. */
export function composeInspection(deps: InspectionCompositionDeps): InspectionComposition {
  const { db, clock, log, applications } = deps;
  const notes = refusalNotes(clock);
  const refusals = refusalRepository(db);
  return {
    registrations: [
      registration(RefusalsService, { noteRefusals: noteRefusals({ notes, clock }) }),
      registration(InspectionService, {
        explainRefusal: explainRefusal({ notes, refusals, applications }),
        explainToken: explainToken({ ...deps, records: tokenRecordRepository(db) }),
      }),
    ],
    writing: refusalLoop({ notes, refusals, db, clock }),
    noting: notingRefusals({ notes, clock, log }),
  };
}
