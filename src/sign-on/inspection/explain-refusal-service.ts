import type {
  ExplainRefusalRequest,
  ExplainRefusalResponse,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { newestInAudit } from "#runtime/audit/audit-log.ts";
import { editDistance, firstDifference } from "#runtime/basis/edit-distance.ts";
import { notFound } from "#runtime/basis/errors.ts";
import type { Database } from "#runtime/database/database.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { RefusalNotes } from "#runtime/refusals/refusal-notes.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { UNKNOWN_PERSON } from "../credentials/passwords.ts";
import { REDIRECT_URI_LENGTH_MAX } from "../refusals/asked.ts";
import { wordsOf } from "../refusals/catalogue.ts";
import type { SignOnRefusal } from "../refusals/refusal.ts";

interface ExplainDeps {
  readonly auditLog: Database<unknown>;
  readonly notes: RefusalNotes<SignOnRefusal>;
  readonly refusals: StoredRefusals<SignOnRefusal>;
  readonly applications: ApplicationRepository;
}

/**
 * What a refused request asked for, which check refused it, and what to do. An unregistered redirect URI is compared with those that are
 * registered now. Failed sign-ins are found in the audit log, too.
 * @throws NOT_FOUND (refusal_not_found).
 */
export const explainRefusal =
  ({ auditLog, notes, refusals, applications }: ExplainDeps) =>
  async ({ requestId }: ExplainRefusalRequest): Promise<ExplainRefusalResponse> => {
    const noted = notes.find(requestId) ?? (await refusals.find(requestId));
    const signIn =
      noted === undefined || noted.check.startsWith("sign_in.")
        ? await findFailedSignIn(auditLog, requestId)
        : undefined;
    const refusal = noted ?? signIn;
    if (refusal === undefined)
      throw notFound(
        "refusal_not_found",
        "No refused request with this id. They are kept for 14 days, and of a flood only a few of a kind in a minute.",
      );
    const { applicationId, check, redirectUri } = refusal;
    const application = applicationId === undefined ? undefined : await applications.findAny(applicationId);
    const disabled = check === "application.unknown" && application?.disabledAt !== undefined;
    const personId = signIn?.personId ?? (await findDenied(auditLog, refusal));
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
      personId: personId ?? null,
      command: disabled ? ["applications", "enable", application.id] : [],
    };
  };

interface FailedSignIn extends SignOnRefusal {
  readonly personId: string | undefined;
}

/**
 * A failed sign-in, or a wrong current password at its change, as the audit log has it: every one, also those of a flood
 * that are not noted.
 */
async function findFailedSignIn(auditLog: Database<unknown>, requestId: string): Promise<FailedSignIn | undefined> {
  const entry =
    (await newestInAudit(auditLog, { requestId, action: "signIn.refuse" })) ??
    (await newestInAudit(auditLog, { requestId, action: "password.refuse" }));
  if (entry === undefined) return undefined;
  const { reason = "wrong_password", application } = JSON.parse(entry.facts) as SignInFacts;
  const signInOperation = application ? "submitLogin" : "submitAccountSignIn";
  return {
    requestId,
    at: entry.at,
    operation: entry.action === "password.refuse" ? "changePassword" : signInOperation,
    check: `sign_in.${reason}`,
    error: "",
    sentence: "",
    applicationId: application ?? undefined,
    parameters: [],
    redirectUri: undefined,
    personId: entry.object === UNKNOWN_PERSON ? undefined : entry.object,
  };
}

/** The signed-in person whom a request refused: without a seat, or who declined. */
async function findDenied(
  auditLog: Database<unknown>,
  { requestId, error }: SignOnRefusal,
): Promise<string | undefined> {
  if (error !== "access_denied") return undefined;
  return (await newestInAudit(auditLog, { requestId, action: "authorization.refuse" }))?.actor;
}

interface SignInFacts {
  readonly reason?: string;
  readonly application?: string | null;
}

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
