import type { Application, GrantType } from "../applications/application.ts";
import { isHarmlessRepeat } from "../refresh-tokens/refresh-token.ts";
import type { CodeRecord, FamilyRecord, RefreshTokenRecord } from "./token-record-repository.ts";

/**
 * A reason to reject a token, found without a request: a stable name, which no check of the catalogue has to share, and
 * a sentence. On the wire the name is called `check`.
 */
export interface TokenProblem {
  readonly name: string;
  readonly sentence: string;
}

/** `2026-11-20 10:54:03 UTC` */
export const shownInstant = (at: Date): string => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;

export const NO_TOKEN: TokenProblem = {
  name: "token.unrecognised",
  sentence: "This is not one of our tokens: neither a JWT nor of the form of a refresh token or authorization code.",
};

export const APPLICATION_SECRET: TokenProblem = {
  name: "token.application_secret",
  sentence:
    "This is an application's secret, not a token. If others may have seen it, replace it: gatehouse applications rotate-secret.",
};

export const FAMILY_UNKNOWN: TokenProblem = {
  name: "family.unknown",
  sentence: "What it was issued from is not written down any more: it ended days ago, or never was.",
};

export const MEMBERSHIP_LOST: TokenProblem = {
  name: "membership.lost",
  sentence: "The person has no access to the platform instance any more, or is disabled.",
};

/** Problems of everything that was issued from one authorization (R-S9, R-S11). */
export function familyProblems(family: FamilyRecord, now: Date): TokenProblem[] {
  const problems: TokenProblem[] = [];
  if (family.revoked !== undefined)
    problems.push({
      name: "family.revoked",
      sentence: `Everything issued from this sign-in was revoked on ${shownInstant(family.revoked.at)}: ${family.revoked.because}.`,
    });
  if (family.voidedAt !== undefined)
    problems.push({
      name: "family.voided",
      sentence: `The application was disabled or enabled on ${shownInstant(family.voidedAt)}; what was issued before is worthless.`,
    });
  if (now >= family.expiresAt)
    problems.push({
      name: "family.expired",
      sentence: `The absolute limit of its refresh tokens was reached on ${shownInstant(family.expiresAt)}.`,
    });
  return problems;
}

/** Problems of a refresh token itself (R-S10); a repeat within the application's window is no problem. */
export function refreshTokenProblems(token: RefreshTokenRecord, repeatSeconds: number, now: Date): TokenProblem[] {
  const problems: TokenProblem[] = [];
  const { rotatedAt, successorUsed, expiresAt } = token;
  const repeat = rotatedAt && { replacedAt: rotatedAt, successorUsed, windowSeconds: repeatSeconds, now };
  if (rotatedAt !== undefined && repeat !== undefined && !isHarmlessRepeat(repeat))
    problems.push({
      name: "refresh_token.replaced",
      sentence: `It was used and replaced on ${shownInstant(rotatedAt)}. Using it again would be taken for theft and revoke the family.`,
    });
  if (now >= expiresAt)
    problems.push({ name: "refresh_token.expired", sentence: `It expired unused on ${shownInstant(expiresAt)}.` });
  return problems;
}

/** Problems of an authorization code (R-S9, R-S11). */
export function codeProblems({ spentAt, expiresAt }: CodeRecord, now: Date): TokenProblem[] {
  const problems: TokenProblem[] = [];
  if (spentAt !== undefined)
    problems.push({
      name: "code.already_used",
      sentence: `It was redeemed on ${shownInstant(spentAt)}. Redeeming it again would revoke what came from it.`,
    });
  if (now >= expiresAt) problems.push({ name: "code.expired", sentence: `It expired on ${shownInstant(expiresAt)}.` });
  return problems;
}

/** Problems of the application that a token was issued to; `grantType` is the grant that uses the token, if any. */
export function applicationProblems(
  application: Pick<Application, "disabledAt" | "grantTypes"> | undefined,
  grantType: GrantType | undefined,
): TokenProblem[] {
  if (application === undefined)
    return [{ name: "application.unknown", sentence: "There is no application of this id here." }];
  const problems: TokenProblem[] = [];
  const { disabledAt, grantTypes } = application;
  if (disabledAt !== undefined)
    problems.push({
      name: "application.disabled",
      sentence: `The application is disabled since ${shownInstant(disabledAt)}.`,
    });
  if (grantType !== undefined && !grantTypes.includes(grantType))
    problems.push({
      name: "grant.not_registered",
      sentence: `The application is not registered for the grant type ${grantType}.`,
    });
  return problems;
}
