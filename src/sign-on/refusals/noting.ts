import type { Clock } from "#runtime/basis/clock.ts";
import { Failure, isFault } from "#runtime/basis/errors.ts";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { RefusalNotes } from "#runtime/refusals/refusal-notes.ts";
import {
  type Call,
  type Implementation,
  type Registration,
  registration,
  type ServiceDefinition,
  type Stage,
} from "#runtime/rpc/call.ts";
import { parseAskedMetadata } from "./asked.ts";
import type { Refusal } from "./refusal.ts";
import { Refused, type RefusedBy } from "./refused.ts";

export interface NotingDeps {
  readonly notes: RefusalNotes<Refusal>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A call whose answer may refuse: by an error at the redirect URI, or by an error page. */
export interface RefusingCall extends Call {
  /**
   * Notes the refusal in an answer; `applicationId` where the request itself names none. A thrown refusal is noted
   * automatically.
   */
  refused(by: RefusedBy, applicationId?: ApplicationId): void;
}

/**
 * Registers services of the edge so that every refusal is noted. Each leaves one log line with its check: a failure by the boundary, which
 * logs it anyway, every other refusal here (R-X122).
 */
export const notingRefusals =
  ({ notes, clock, log }: NotingDeps) =>
  <S extends ServiceDefinition>(definition: S, implementation: Implementation<S, RefusingCall>): Registration => {
    const { methods } = registration(definition, implementation as Implementation<S>);
    const noted = Object.entries(methods).map(([operation, method]) => {
      const stage: Stage = async (request, call) => {
        const { requestId, peer, path } = call;
        const note = (by: Pick<Refusal, "check" | "error" | "sentence">, ofApplication?: ApplicationId) => {
          const { check, error, sentence } = by;
          const asked = parseAskedMetadata(call.metadata);
          const applicationId = asked.applicationId ?? ofApplication;
          notes.note({ requestId, at: clock.now(), operation, check, error, sentence, ...asked, applicationId });
        };
        const refused: RefusingCall["refused"] = (by, applicationId) => {
          note(by, applicationId);
          const { check, error } = by;
          log.info("A request was refused.", { requestId, peer, call: path, check, reason: error || "error_page" });
        };
        try {
          return await method(request, Object.assign(call, { refused }));
        } catch (error) {
          const by = error instanceof Refused ? error : ended(error);
          note(by);
          throw error instanceof Failure && error.check === undefined ? error.checked(by.check) : error;
        }
      };
      return [operation, stage] as const;
    });
    return { definition, methods: Object.fromEntries(noted) };
  };

/** Other ends of a request: a fault of Gatehouse, a busy part, or a failure of another domain, noted by its reason. */
function ended(error: unknown): Pick<Refusal, "check" | "error" | "sentence"> {
  if (isFault(error) || !(error instanceof Failure))
    return { check: "service.failed", error: "server_error", sentence: "" };
  if (error.retryAfterSeconds !== undefined)
    return { check: "service.busy", error: "temporarily_unavailable", sentence: "" };
  return { check: `unnamed.${error.reason}`, error: error.reason, sentence: error.message };
}
