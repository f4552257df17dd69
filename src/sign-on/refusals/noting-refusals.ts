import { ErrorPageReason, type NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure, isFault } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Call, Registration, Stage } from "#runtime/rpc/call.ts";
import { askedBy } from "./asked.ts";
import { checkOf, type Refused } from "./checks.ts";
import type { RefusalNotes } from "./refusal-notes.ts";

export interface NotingDeps {
  readonly notes: RefusalNotes;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The same services, whose every refusal to the edge is noted: an error for the application, whether it travels as a failure or in a redirect, and an
 * error page. Each leaves one log line with its check: a failure by the boundary, which logs it anyway, everything else here.
 */
export function notingRefusals({ definition, methods }: Registration, { notes, clock, log }: NotingDeps): Registration {
  const noted = Object.entries(methods).map(([name, method]) => {
    const stage: Stage = async (request, given) => {
      const call = given as Call;
      // What operators and our own loops are refused is theirs to see at once.
      if (call.peer !== "edge") return method(request, call);
      const note = (refused: Refused, check: string) =>
        notes.note({
          requestId: call.requestId,
          at: clock.now(),
          operation: name,
          check,
          error: refused.error,
          sentence: refused.sentence,
          ...askedBy(request),
        });
      try {
        const answer = await method(request, call);
        const refused = refusedBy(answer);
        if (refused !== undefined) {
          const check = refused.error === "" ? pageCheck(refused.sentence, request) : checkOf(refused);
          note(refused.error === "" ? { ...refused, sentence: "" } : refused, check);
          const { requestId, peer, path } = call;
          log.info("A request was refused.", {
            requestId,
            peer,
            call: path,
            check,
            reason: refused.error || "error_page",
          });
        }
        return answer;
      } catch (error) {
        const refused = failed(error);
        const check = (error instanceof Failure ? error.check : undefined) ?? checkOfFailure(error, refused);
        note(refused, check);
        throw error instanceof Failure ? error.checked(check) : error;
      }
    };
    return [name, stage] as const;
  });
  return { definition, methods: Object.fromEntries(noted) };
}

function failed(error: unknown): Refused {
  if (isFault(error) || !(error instanceof Failure)) return { error: "server_error", sentence: "" };
  return error.retryAfterSeconds === undefined
    ? { error: error.reason, sentence: error.message, detail: error.detail }
    : { error: "temporarily_unavailable", sentence: "" };
}

function checkOfFailure(error: unknown, refused: Refused): string {
  if (isFault(error)) return "service.failed";
  return refused.error === "temporarily_unavailable" ? "service.busy" : checkOf(refused);
}

/** What an answer refuses; of an error page the reason stands as the sentence. */
function refusedBy(answer: unknown): Refused | undefined {
  const step = nextStepOf(answer)?.step;
  if (step === undefined || step === null) return undefined;
  if (step.$case === "errorPage") return { error: "", sentence: step.value.reason };
  const told = step.$case === "redirect" ? toldAt(step.value.location) : toldByForm(step.value);
  const error = told?.get("error");
  // An answer with a code is none, whatever else stands in a redirect URI that was registered with a query.
  return told === undefined || typeof error !== "string" || told.has("code")
    ? undefined
    : { error, sentence: told.get("error_description") ?? "" };
}

/** Parsed only where there may be an error: every sign-in that ends well comes by here. */
const toldAt = (location: string): Map<string, string> | undefined =>
  location.includes("error=") && URL.canParse(location) ? new Map(new URL(location).searchParams) : undefined;

/** A step that posts a form to the application has the same names and values. */
function toldByForm(step: object): Map<string, string> | undefined {
  if (!("parameters" in step) || !Array.isArray(step.parameters)) return undefined;
  const pairs = step.parameters as readonly { readonly name: string; readonly value: string }[];
  return new Map(pairs.map(({ name, value }) => [name, value]));
}

/** The next step that an answer has, by itself or as one of two things that it can be. */
function nextStepOf(answer: unknown): NextStep | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  if ("nextStep" in answer) return (answer.nextStep ?? undefined) as NextStep | undefined;
  if (!("answer" in answer) || typeof answer.answer !== "object" || answer.answer === null) return undefined;
  const either = answer.answer as { readonly $case?: unknown; readonly value?: unknown };
  return either.$case === "nextStep" ? (either.value as NextStep) : undefined;
}

const PAGE_CHECKS: Readonly<Record<string, string>> = {
  [ErrorPageReason.ERROR_PAGE_REASON_UNKNOWN_APPLICATION]: "application.unknown",
  [ErrorPageReason.ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI]: "redirect_uri.not_registered",
  [ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_GONE]: "interaction.gone",
  [ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_ELSEWHERE]: "interaction.elsewhere",
  [ErrorPageReason.ERROR_PAGE_REASON_FORM_REFUSED]: "form.refused",
};

/** The check behind an error page; of an authorization request also whether the parameter is missing or repeated. */
function pageCheck(reason: string, request: unknown): string {
  const check = PAGE_CHECKS[reason];
  if (check === undefined) return `page.${reason.replace(/^ERROR_PAGE_REASON_/, "").toLowerCase()}`;
  const named = { "application.unknown": "client_id", "redirect_uri.not_registered": "redirect_uri" }[check];
  const parameters = (request as { readonly parameters?: unknown }).parameters;
  if (named === undefined || !Array.isArray(parameters)) return check;
  const values = (parameters as readonly { name: string; value: string }[]).filter(({ name }) => name === named);
  if (values.length > 1) return `${named}.repeated`;
  return values.length === 0 || values[0]?.value === "" ? `${named}.missing` : check;
}
