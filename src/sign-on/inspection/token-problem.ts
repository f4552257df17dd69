import { type ExplainTokenResponse, TokenKind } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { Application, GrantType } from "../applications/application.ts";
import { lostByCode } from "../applications/code-registration.ts";
import { isHarmlessRepeat, type TokenState } from "../refresh-tokens/refresh-token.ts";
import type { TokenFamily } from "../refresh-tokens/token-family.ts";
import type { FamilyRecord } from "./token-record-repository.ts";

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

export const API_KEY: TokenProblem = {
  name: "token.api_key",
  sentence:
    "This is an API key of the gateway, not a token. Which one it is, and whether it is accepted: gatehouse api-keys find.",
};

export const SIGNING_SECRET: TokenProblem = {
  name: "token.signing_secret",
  sentence:
    "This is a signing secret or key of webhooks, not a token. If others may have seen it, replace it: gatehouse subscriptions secrets rotate.",
};

export const FAMILY_UNKNOWN: TokenProblem = {
  name: "family.unknown",
  sentence: "What it was issued from is not written down any more: it ended days ago, or never was.",
};

export const MEMBERSHIP_LOST: TokenProblem = {
  name: "membership.lost",
  sentence: "The person has no access to the platform instance any more, or was disabled since signing in.",
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

/**
 * Problems of a refresh token itself (R-S10); a repeat within the application's window is no problem, until the successor
 * expires (R-X111).
 */
export function refreshTokenProblems(
  { kind }: TokenState,
  { current, replacement }: Pick<TokenFamily, "current" | "replacement">,
  repeatSeconds: number,
  now: Date,
): TokenProblem[] {
  const at = replacement?.at ?? current.issuedAt;
  const theft = "Using it again would be taken for theft and revoke the family.";
  if (kind === "spent")
    return [
      {
        name: "refresh_token.replaced",
        sentence: `It was used and replaced, and so was its successor, the last time on ${shownInstant(at)}. ${theft}`,
      },
    ];
  if (kind === "replaced") {
    const harmless = isHarmlessRepeat({ replacedAt: at, windowSeconds: repeatSeconds, now });
    if (!harmless)
      return [
        { name: "refresh_token.replaced", sentence: `It was used and replaced on ${shownInstant(at)}. ${theft}` },
      ];
  }
  const { expiresAt } = current;
  const expired = kind === "current" ? "It expired unused" : "The one that replaced it expired unused";
  return now < expiresAt
    ? []
    : [{ name: "refresh_token.expired", sentence: `${expired} on ${shownInstant(expiresAt)}.` }];
}

/** The problem of an authorization code that was redeemed (R-S11). */
export const codeRedeemed = (at: Date): TokenProblem => ({
  name: "code.already_used",
  sentence: `It was redeemed on ${shownInstant(at)}. Redeeming it again would revoke what came from it.`,
});

/** True for a code that was not redeemed and ended early: it expires before it was issued then. */
export const isEndedEarly = ({ issuedAt, expiresAt }: { readonly issuedAt: Date; readonly expiresAt: Date }): boolean =>
  expiresAt < issuedAt;

/** Problems of an authorization code that was not (R-S9). */
export function codeProblems(
  code: { readonly issuedAt: Date; readonly expiresAt: Date },
  now: Date,
): readonly TokenProblem[] {
  if (now < code.expiresAt) return [];
  const ended = "It was ended unused: its session or its access ended, or its person or application was disabled.";
  const sentence = isEndedEarly(code) ? ended : `It expired on ${shownInstant(code.expiresAt)}.`;
  return [{ name: "code.expired", sentence }];
}

/** The problem of a code that the registration of its application does not allow any more (R-X131). */
export function registrationProblems(
  code: Parameters<typeof lostByCode>[0],
  application: Application | undefined,
): readonly TokenProblem[] {
  const lost = application && lostByCode(code, application);
  return lost === undefined ? [] : [REGISTRATION_LOST[lost]];
}

const REGISTRATION_LOST = {
  "redirect URI": {
    name: "code.redirect_uri_not_registered",
    sentence: "Its redirect URI was removed from the application's registration since, or is another instance's.",
  },
  "no PKCE": {
    name: "code.challenge_missing",
    sentence: "The application must use PKCE by now, and the code was issued without a code_challenge.",
  },
} as const;

/** The grant that uses a token of this kind. */
const GRANT_TYPES: Readonly<Partial<Record<TokenKind, GrantType>>> = {
  [TokenKind.REFRESH_TOKEN]: "refresh_token",
  [TokenKind.AUTHORIZATION_CODE]: "authorization_code",
};

/** Problems of the application that a token was issued to. What it is registered for counts now (R-X131). */
export function applicationProblems(
  application: Pick<Application, "disabledAt" | "grantTypes" | "scopes"> | undefined,
  { kind, scopes }: Pick<ExplainTokenResponse, "kind" | "scopes">,
): TokenProblem[] {
  if (application === undefined)
    return [{ name: "application.unknown", sentence: "There is no application of this id here." }];
  const problems: TokenProblem[] = [];
  const { disabledAt, grantTypes } = application;
  const grantType = GRANT_TYPES[kind];
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
  const lost = scopes.filter((scope) => !application.scopes.some((registered) => registered === scope));
  if (kind === TokenKind.AUTHORIZATION_CODE && lost.length > 0)
    problems.push({
      name: "code.scope_not_registered",
      sentence: `The application is not registered for ${lost.join(" ")} any more, which the code is for.`,
    });
  // A refresh gives what is left.
  if (kind === TokenKind.REFRESH_TOKEN && lost.length === scopes.length)
    problems.push({
      name: "scope.not_registered",
      sentence: `The application is registered for none of its scopes any more: ${lost.join(" ")}.`,
    });
  return problems;
}
