import type {
  ExplainRefusalRequest,
  ExplainRefusalResponse,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { editDistance, firstDifference } from "#runtime/basis/edit-distance.ts";
import { notFound } from "#runtime/basis/errors.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { REDIRECT_URI_LENGTH_MAX } from "../refusals/asked.ts";
import { wordsOf } from "../refusals/catalogue.ts";
import type { RefusalNotes } from "../refusals/refusal-notes.ts";
import type { RefusalRepository } from "../refusals/refusal-repository.ts";

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

/** The registered redirect URI that is most like one that was sent. */
interface Nearest {
  readonly uri: string;
  /** Position of the first character that differs, from 0. */
  readonly differsAt: number;
  /** Characters to change, add or remove to turn one into the other. */
  readonly distance: number;
}

/** The nearest of the registered ones by edit distance, the first of several; `undefined` when there is none. */
export function nearestRedirectUri(registered: readonly string[], sent: string): Nearest | undefined {
  let nearest: Nearest | undefined;
  for (const uri of registered) {
    const distance = editDistance(uri.slice(0, REDIRECT_URI_LENGTH_MAX), sent.slice(0, REDIRECT_URI_LENGTH_MAX));
    if (nearest === undefined || distance < nearest.distance)
      nearest = { uri, distance, differsAt: firstDifference(uri, sent) };
  }
  return nearest;
}
