import type {
  ExplainRefusalRequest,
  ExplainRefusalResponse,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { NoteRefusalsRequest, NoteRefusalsResponse } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { notFound } from "#runtime/basis/errors.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { applicationIdOf, knownNames } from "./asked.ts";
import { wordsOf } from "./checks.ts";
import { nearestRedirectUri } from "./nearest-redirect-uri.ts";
import type { RefusalNotes } from "./refusal-notes.ts";
import type { RefusalRepository } from "./refusal-repository.ts";

const PER_CALL_MAX = 100;
/** What error_description may hold (RFC 6749 §5.2). */
const SENTENCE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/;
const WORD = /^[A-Za-z][A-Za-z0-9._]{0,79}$/;

/** Takes note of what the edge refused by itself. What is not of its form is left out; the edge has nobody to tell. */
export const noteRefusals =
  ({ notes, clock }: { readonly notes: RefusalNotes; readonly clock: Clock }) =>
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

interface ExplainDeps {
  readonly notes: RefusalNotes;
  readonly refusals: RefusalRepository;
  readonly applications: ApplicationRepository;
}

/**
 * What a refused request asked for, which check refused it, and what to do. An unregistered redirect URI is compared with those that are
 * registered now.
 * @throws NOT_FOUND (refusal_not_found).
 */
export const explainRefusal =
  ({ notes, refusals, applications }: ExplainDeps) =>
  async ({ requestId }: ExplainRefusalRequest): Promise<ExplainRefusalResponse> => {
    const refusal = notes.find(requestId) ?? (await refusals.find(requestId));
    if (refusal === undefined)
      throw notFound(
        "refusal_not_found",
        "No refused sign-on request of this id is written down. They are kept for 14 days, and only a few of a kind in a minute.",
      );
    const { applicationId, check, redirectUri } = refusal;
    const application = applicationId === undefined ? undefined : await applications.findAny(applicationId);
    const disabled = check === "application.unknown" && application?.disabledAt !== undefined;
    const words = disabled ? DISABLED : wordsOf(check, refusal.sentence);
    const registered = application?.redirectUris.map(({ uri }) => uri) ?? [];
    const nearest =
      check === "redirect_uri.not_registered" && redirectUri !== undefined
        ? nearestRedirectUri(registered, redirectUri)
        : undefined;
    return {
      requestId,
      at: refusal.at,
      operation: refusal.operation,
      check,
      error: refusal.error,
      ...words,
      applicationId: applicationId ?? null,
      applicationName: application?.name ?? null,
      parameters: [...refusal.parameters],
      redirectUri: redirectUri ?? null,
      nearest: nearest ?? null,
    };
  };

const DISABLED = {
  finding: "The application is disabled.",
  advice: "Nothing is wrong with the request. An operator can enable the application: gatehouse applications enable.",
};
