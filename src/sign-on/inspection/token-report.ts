import { type ExplainTokenResponse, TokenKind } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { ReadToken } from "./read-token.ts";
import { shownInstant, type TokenProblem } from "./token-problem.ts";
import type { FamilyRecord } from "./token-record-repository.ts";

/** An explanation under construction. */
export type TokenReport = Omit<ExplainTokenResponse, "accepted" | "applicationName" | "problems"> & {
  readonly problems: readonly TokenProblem[];
};

export const EMPTY_REPORT: TokenReport = {
  kind: TokenKind.UNSPECIFIED,
  problems: [],
  signature: null,
  issuer: null,
  audience: [],
  applicationId: null,
  personId: null,
  instanceId: null,
  scopes: [],
  issuedAt: null,
  expiresAt: null,
  authenticatedAt: null,
};

type ClaimFacts = Pick<
  TokenReport,
  "issuer" | "audience" | "applicationId" | "personId" | "scopes" | "issuedAt" | "expiresAt" | "authenticatedAt"
>;

const TEXT_LENGTH_MAX = 500;
const text = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, TEXT_LENGTH_MAX) : null);

const seconds = (value: unknown): Date | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < 253_402_300_800
    ? new Date(value * 1000)
    : null;

/** The contents of a JWT, shortened; of the person only the id. */
export function factsOfClaims(claims: Readonly<Record<string, unknown>>): ClaimFacts {
  const audience = (Array.isArray(claims.aud) ? claims.aud : [claims.aud])
    .flatMap((one) => text(one) ?? [])
    .slice(0, 10);
  const applicationId = [claims.client_id, claims.azp, ...audience].find(
    (one) => typeof one === "string" && parseId("application", one) !== undefined,
  );
  const subject = text(claims.sub);
  return {
    issuer: text(claims.iss),
    audience,
    applicationId: text(applicationId),
    personId: subject !== null && parseId("person", subject) !== undefined ? subject : null,
    scopes: (text(claims.scope) ?? "").split(" ").filter((scope) => scope !== ""),
    issuedAt: seconds(claims.iat),
    expiresAt: seconds(claims.exp),
    authenticatedAt: seconds(claims.auth_time),
  };
}

/** The contents of the record behind an opaque token. */
export const factsOfRecord = (record: Omit<FamilyRecord, "revoked" | "voidedAt">) => ({
  applicationId: record.applicationId,
  personId: record.personId,
  instanceId: record.instanceId,
  scopes: [...record.scopes],
  issuedAt: record.issuedAt,
  expiresAt: record.expiresAt,
  authenticatedAt: record.authenticatedAt,
});

/** The problems in the claims of a JWT of ours. */
export function claimProblems(
  kind: TokenKind,
  { type }: Extract<ReadToken, { kind: "jwt" }>,
  { issuer, audience, expiresAt }: ClaimFacts,
  here: { readonly issuer: string; readonly now: Date },
): TokenProblem[] {
  const problems: TokenProblem[] = [];
  if (kind === TokenKind.UNSPECIFIED)
    problems.push({
      name: "token.type",
      sentence: `Its type is ${type === "" ? "missing" : "another one"}: neither at+jwt (access token) nor JWT (ID token).`,
    });
  if (issuer !== here.issuer)
    problems.push({ name: "issuer.other", sentence: `Its issuer is not this one, which is ${here.issuer}.` });
  if (kind === TokenKind.ACCESS_TOKEN && !audience.includes(here.issuer))
    problems.push({ name: "audience.other", sentence: "It is meant for another audience than this server." });
  if (expiresAt === null) problems.push({ name: "token.no_end", sentence: "It says no time at which it expires." });
  else if (here.now >= expiresAt)
    problems.push({ name: "token.expired", sentence: `It expired on ${shownInstant(expiresAt)}.` });
  return problems;
}
