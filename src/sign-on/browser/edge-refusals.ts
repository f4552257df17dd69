import type { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { EdgeRefusal } from "#runtime/http/operation.ts";
import { boundedLog } from "#runtime/process/bounded-log.ts";
import type { Log } from "#runtime/process/log.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { Asked } from "../refusals/asked.ts";

/** Notes under way at once; further ones are dropped, so that a flood of broken requests costs almost nothing. */
const UNDER_WAY_MAX = 8;
const DEADLINE_MS = 2_000;

/** Logs and notes the refusals that the edge decides itself; services note their own. */
interface NoterAtEdge {
  note(requestId: string, operation: string, by: EdgeRefusal, asked: Asked): void;
  /** Writes how many more there were. */
  stop(): void;
}

export function noterAtEdge(log: Log, refusals: PromiseClient<typeof RefusalsService>): NoterAtEdge {
  const rarely = boundedLog(log);
  let underWay = 0;
  const note: NoterAtEdge["note"] = (
    requestId,
    operation,
    { check, error, sentence },
    { applicationId = null, parameters, redirectUri = null },
  ) => {
    const reason = error || "error_page";
    rarely.info(`refused ${check}`, "A request was refused.", { requestId, operationId: operation, check, reason });
    if (underWay >= UNDER_WAY_MAX) return;
    underWay++;
    const asked = { applicationId, parameters: [...parameters], redirectUri };
    const refusal = { requestId, operation, check, error, sentence, ...asked };
    refusals
      .noteRefusals({ refusals: [refusal] }, { requestId, deadlineMs: DEADLINE_MS })
      .catch(() => undefined)
      .finally(() => {
        underWay--;
      });
  };
  return { note, stop: () => rarely.stop() };
}
