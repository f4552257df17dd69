import {
  type ExplainTokenRequest,
  type ExplainTokenResponse,
  TokenKind,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { type VerifyDeps, verifyAccessToken } from "../access-tokens/verify-access-token.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { findCode, type PresentedCodeDeps } from "../authorization-codes/presented-code.ts";
import { type Member, memberIdentity } from "../claims/member-identity.ts";
import { type PresentedTokenDeps, placeOf } from "../refresh-tokens/presented-token.ts";
import { stateOf } from "../refresh-tokens/refresh-token.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import type { SignOnTables } from "../tables.ts";
import { beginningOf } from "../token-numbers/family-number.ts";
import { type ReadToken, readToken } from "./read-token.ts";
import {
  API_KEY,
  APPLICATION_SECRET,
  applicationProblems,
  codeProblems,
  codeRedeemed,
  FAMILY_UNKNOWN,
  familyProblems,
  isEndedEarly,
  MEMBERSHIP_LOST,
  NO_TOKEN,
  refreshTokenProblems,
  registrationProblems,
  SIGNING_SECRET,
  type TokenProblem,
} from "./token-problem.ts";
import type { TokenRecordRepository } from "./token-record-repository.ts";
import { claimProblems, EMPTY_REPORT, factsOfClaims, factsOfRecord, type TokenReport } from "./token-report.ts";
import { checkSignature } from "./token-signature.ts";

export interface ExplainTokenDeps extends VerifyDeps, PresentedCodeDeps, PresentedTokenDeps {
  readonly families: TokenFamilyRepository;
  readonly tokens: PresentedCodeDeps["tokens"] & PresentedTokenDeps["tokens"];
  readonly earlier: PresentedCodeDeps["earlier"] & PresentedTokenDeps["earlier"];
  readonly records: TokenRecordRepository;
  readonly applications: ApplicationRepository;
  readonly changes: Changes<SignOnTables>;
  readonly workforce: PromiseClient<typeof SignInService>;
}

/**
 * What a token contains and whether it would be accepted now, with every reason against it. Nothing is spent, rotated
 * or revoked. The token itself is neither returned nor stored; the audit log records the inspection.
 */
export const explainToken =
  (deps: ExplainTokenDeps) =>
  async ({ token }: ExplainTokenRequest, call: Call): Promise<ExplainTokenResponse> => {
    const report = await reportOn(deps, readToken(token), call);
    const application =
      report.applicationId == null ? undefined : await deps.applications.findAny(report.applicationId);
    const problems =
      report.applicationId == null
        ? report.problems
        : [...report.problems, ...applicationProblems(application, report)];
    const answer = {
      ...report,
      problems: problems.map(({ name, sentence }) => ({ check: name, sentence })),
      accepted: problems.length === 0,
      applicationName: application?.name ?? null,
    };
    await deps.changes.run(
      ({ audit }) =>
        audit({
          actor: call.actor,
          action: "token.explain",
          object: application?.id ?? "token",
          facts: { kind: answer.kind, accepted: answer.accepted, person: trusted(answer) },
        }),
      { requestId: call.requestId },
    );
    return answer;
  };

/** The person, unless only an unproven claim names one. */
const trusted = ({ personId, signature }: ExplainTokenResponse): string | null =>
  signature?.right === false ? null : (personId ?? null);

async function reportOn(deps: ExplainTokenDeps, read: ReturnType<typeof readToken>, call: Call): Promise<TokenReport> {
  switch (read.kind) {
    case "jwt":
      return reportOnJwt(deps, read, call);
    case "refresh token":
      return reportOnRefreshToken(deps, read.text, call);
    case "application secret":
      return { ...EMPTY_REPORT, problems: [APPLICATION_SECRET] };
    case "API key":
      return { ...EMPTY_REPORT, problems: [API_KEY] };
    case "signing secret":
      return { ...EMPTY_REPORT, problems: [SIGNING_SECRET] };
    case "opaque":
      return reportOnCode(deps, read.text, call);
    default:
      return { ...EMPTY_REPORT, problems: [NO_TOKEN] };
  }
}

async function reportOnJwt(
  deps: ExplainTokenDeps,
  read: Extract<ReadToken, { kind: "jwt" }> & { readonly text: string },
  call: Call,
): Promise<TokenReport> {
  const { issuer, clock, records } = deps;
  const kind = KINDS.get(read.type) ?? TokenKind.UNSPECIFIED;
  const facts = factsOfClaims(read.claims);
  const { signature, problems: bySignature } = await checkSignature(records, read.text, read.header);
  const report = { ...EMPTY_REPORT, ...facts, kind, signature };
  // Claims of an unproven token trigger no look-up.
  if (!signature.right) return { ...report, problems: [...bySignature] };
  const problems = [...bySignature, ...claimProblems(kind, read, facts, { issuer, now: clock.now() })];
  if (kind !== TokenKind.ACCESS_TOKEN) return { ...report, problems };
  const number = await deps.families.numberBehind(String(read.claims.jti ?? ""));
  const family = number === undefined ? undefined : await records.findFamily(number);
  const found = family === undefined ? [FAMILY_UNKNOWN] : familyProblems(family, clock.now());
  const all = [...problems, ...found, ...(await membershipProblems(deps, family, call))];
  const instanceId = family?.instanceId ?? null;
  return { ...report, instanceId, problems: all.length > 0 ? all : await refusedAnyway(deps, read.text) };
}

/** No object, which would have a `constructor` too: the type is a stranger's text. */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ["at+jwt", TokenKind.ACCESS_TOKEN],
  ["JWT", TokenKind.ID_TOKEN],
]);

/** The final check is the one that the endpoints use. */
async function refusedAnyway(deps: ExplainTokenDeps, token: string): Promise<TokenProblem[]> {
  try {
    await verifyAccessToken(deps, token);
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== "invalid_token") throw error;
    return [{ name: "access_token.refused", sentence: `The endpoints refuse it: ${error.detail ?? error.message}.` }];
  }
}

async function reportOnRefreshToken(deps: ExplainTokenDeps, text: string, call: Call): Promise<TokenReport> {
  const { records, families, tokens, applications, clock } = deps;
  const kind = TokenKind.REFRESH_TOKEN;
  const place = await placeOf(deps, text);
  const family = await families.find(place.number);
  const record = await records.findFamily(place.number);
  const state = family && stateOf(tokens, text, place, family);
  if (family === undefined || record === undefined || state === undefined)
    return {
      ...EMPTY_REPORT,
      kind,
      problems: [
        {
          name: "refresh_token.unknown",
          sentence: "No such refresh token is written down: it was never issued here, or ended days ago.",
        },
      ],
    };
  const repeatSeconds = (await applications.findAny(family.applicationId))?.refreshRepeatSeconds ?? 0;
  const now = clock.now();
  return {
    ...EMPTY_REPORT,
    ...factsOfRecord(record),
    kind,
    // Of an earlier one the times are not kept.
    issuedAt: state.kind === "current" ? family.current.issuedAt : null,
    expiresAt: state.kind === "current" ? family.current.expiresAt : null,
    problems: [
      ...familyProblems(record, now),
      ...refreshTokenProblems(state, family, repeatSeconds, now),
      ...(await membershipProblems(deps, family, call)),
    ],
  };
}

async function reportOnCode(deps: ExplainTokenDeps, text: string, call: Call): Promise<TokenReport> {
  const code = await findCode(deps, text);
  if (code === undefined) return { ...EMPTY_REPORT, problems: [NO_TOKEN] };
  const redeemed = await deps.families.find(code.number);
  const own = redeemed
    ? [codeRedeemed(redeemed.issuedAt)]
    : [
        ...codeProblems(code, deps.clock.now()),
        ...registrationProblems(code, await deps.applications.findAny(code.applicationId)),
      ];
  return {
    ...EMPTY_REPORT,
    ...factsOfRecord(code),
    kind: TokenKind.AUTHORIZATION_CODE,
    // Of a redeemed one the times are not kept; its number has the first.
    issuedAt: redeemed ? beginningOf(code.number) : code.issuedAt,
    expiresAt: redeemed || isEndedEarly(code) ? null : code.expiresAt,
    problems: [...own, ...(await membershipProblems(deps, code, call))],
  };
}

async function membershipProblems(
  { workforce }: ExplainTokenDeps,
  record: Member | undefined,
  call: Call,
): Promise<TokenProblem[]> {
  if (record === undefined) return [];
  const identity = await memberIdentity(workforce, record, call);
  return identity === undefined ? [MEMBERSHIP_LOST] : [];
}
