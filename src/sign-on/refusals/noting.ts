import type { NoteRefusalsRequest, NoteRefusalsResponse } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure, isFault } from "#runtime/basis/errors.ts";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import type { Log } from "#runtime/process/log.ts";
import type { RefusalNotes } from "#runtime/refusals/refusal-notes.ts";
import {
  type Call,
  factsOfCall,
  type Implementation,
  type Registration,
  registration,
  type ServiceDefinition,
  type Stage,
} from "#runtime/rpc/call.ts";
import { applicationIdOf, knownNames, parseAskedMetadata, shownRedirectUri } from "./asked.ts";
import type { SignOnRefusal } from "./refusal.ts";
import { pageRefusal, Refused, type RefusedBy } from "./refused.ts";

interface NotingDeps {
  readonly notes: RefusalNotes<SignOnRefusal>;
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
        const { requestId } = call;
        const note = ({ check, error, sentence }: RefusedBy, ofApplication?: ApplicationId) => {
          const asked = parseAskedMetadata(call.metadata);
          const applicationId = asked.applicationId ?? ofApplication;
          notes.note({ requestId, at: clock.now(), operation, check, error, sentence, ...asked, applicationId });
        };
        const refused: RefusingCall["refused"] = (by, applicationId) => {
          note(by, applicationId);
          const { check, error } = by;
          log.info("A request was refused.", { ...factsOfCall(call), check, reason: error || "error_page" });
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

/** Other ends of a request: a fault of Gatehouse, a busy part, or a failure of workforce. */
function ended(error: unknown): RefusedBy {
  if (isFault(error) || !(error instanceof Failure))
    return { check: "service.failed", error: "server_error", sentence: "" };
  if (error.retryAfterSeconds !== undefined)
    return { check: "service.busy", error: "temporarily_unavailable", sentence: "" };
  return { ...pageRefusal("workforce.failed"), error: error.reason, sentence: error.message };
}

const PER_CALL_MAX = 100;
/** The characters that error_description may contain (RFC 6749 §5.2). */
const SENTENCE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/;
const WORD = /^[A-Za-z][A-Za-z0-9._]{0,79}$/;

/** Notes refusals that the edge decided itself. Malformed ones are ignored: the edge waits for no answer. */
export const noteRefusals =
  ({ notes, clock }: { readonly notes: RefusalNotes<SignOnRefusal>; readonly clock: Clock }) =>
  async ({ refusals }: NoteRefusalsRequest): Promise<NoteRefusalsResponse> => {
    for (const refusal of refusals.slice(0, PER_CALL_MAX)) {
      const { requestId, operation, check, error } = refusal;
      if (!/^[\w-]{1,64}$/.test(requestId) || !WORD.test(operation) || !WORD.test(check)) continue;
      notes.note({
        requestId,
        at: clock.now(),
        operation,
        check,
        error: WORD.test(error) ? error : "",
        sentence: SENTENCE.test(refusal.sentence) ? refusal.sentence : "",
        applicationId: applicationIdOf(refusal.applicationId),
        parameters: knownNames(refusal.parameters),
        redirectUri: shownRedirectUri(refusal.redirectUri),
      });
    }
    return {};
  };
