import type { NoteRefusalsRequest, NoteRefusalsResponse } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { RefusalNotes } from "#runtime/refusals/refusal-notes.ts";
import { applicationIdOf, knownNames } from "./asked.ts";
import type { Refusal } from "./refusal.ts";

const PER_CALL_MAX = 100;
/** The characters that error_description may contain (RFC 6749 §5.2). */
const SENTENCE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/;
const WORD = /^[A-Za-z][A-Za-z0-9._]{0,79}$/;

/** Notes refusals that the edge decided itself. Malformed ones are ignored: the edge waits for no answer. */
export const noteRefusals =
  ({ notes, clock }: { readonly notes: RefusalNotes<Refusal>; readonly clock: Clock }) =>
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
        redirectUri: undefined,
      });
    }
    return {};
  };
