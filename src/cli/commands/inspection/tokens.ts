import type { Command } from "commander";
import { type ExplainTokenResponse, TokenKind } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { systemClock } from "#runtime/basis/clock.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Verb } from "../../connection/verb.ts";
import { readToken } from "../../input/secret-input.ts";
import type { Facts } from "../../output/card.ts";
import { elapsed, toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { one } from "../../output/outcome.ts";

/** `gatehouse tokens …` */
export function addTokens(program: Command, verb: Verb): void {
  program
    .command("tokens")
    .summary("access, refresh and ID tokens, and authorization codes")
    .command("explain")
    .summary("say what a token is, and whether it would be accepted now")
    .description(
      "Says what a token is, and whether it would be accepted now; if not, why. This does not use up the token. The token comes from standard input or a file; as an argument it stays in the history of the shell.",
    )
    .argument("[token]", "the token; standard input without one, or with -")
    .option("--file <path>", "file with the token")
    .action(
      verb<{ file?: string }>(async (asked, { file }, given) => {
        const { inspection, call } = asked;
        const token = await readToken(given, file, asked);
        const explained = await inspection.explainToken({ token }, call);
        const names = await namesOf(asked, [explained.personId, explained.instanceId]);
        return one(toJson(explained), factsOf(explained, names, systemClock.now()), { said: conclusion(explained) });
      }),
    );
}

const kindOf = ({ kind }: ExplainTokenResponse): string | null => lowerWordOf(TokenKind, kind) ?? null;

const WORDS: Readonly<Record<string, string>> = {
  access_token: "access token",
  id_token: "ID token",
  refresh_token: "refresh token",
  authorization_code: "authorization code",
};

function conclusion(explained: ExplainTokenResponse): string {
  const kind = WORDS[kindOf(explained) ?? ""];
  if (kind === undefined) return "No endpoint of sign-on would accept this.";
  return explained.accepted ? `This ${kind} would be accepted now.` : `This ${kind} would not be accepted now.`;
}

const factsOf = (explained: ExplainTokenResponse, names: Names, now: Date): Facts => {
  const { signature, applicationId, applicationName } = explained;
  const when = (at: Date | null) => (at === null ? undefined : `${toShownInstant(at)} (${elapsed(at, now)})`);
  return [
    ["kind", WORDS[kindOf(explained) ?? ""] ?? "unknown"],
    ["accepted now", explained.accepted ? "yes" : "no"],
    ["because", explained.accepted ? undefined : explained.problems.map(({ sentence }) => sentence)],
    [
      "signature",
      signature === null
        ? undefined
        : `${signature.right ? "right" : "not right"}, ${signature.algorithm}, key ${signature.keyId === "" ? "not named" : signature.keyId}`,
    ],
    ["issuer", explained.issuer ?? undefined],
    ["audience", explained.audience.length === 0 ? undefined : explained.audience],
    ["application", applicationId ? `${applicationId}${applicationName ? ` (${applicationName})` : ""}` : undefined],
    ["person", names.of(explained.personId) ?? undefined],
    ["instance", names.of(explained.instanceId) ?? undefined],
    ["scopes", explained.scopes.length === 0 ? undefined : explained.scopes.join(" ")],
    ["issued", when(explained.issuedAt)],
    ["expires", when(explained.expiresAt)],
    ["password entered", when(explained.authenticatedAt)],
  ];
};

const toJson = (explained: ExplainTokenResponse) => ({
  kind: kindOf(explained),
  accepted: explained.accepted,
  problems: explained.problems.map(({ check, sentence }) => ({ check, sentence })),
  signature: explained.signature,
  issuer: explained.issuer ?? null,
  audience: explained.audience,
  applicationId: explained.applicationId ?? null,
  applicationName: explained.applicationName ?? null,
  personId: explained.personId ?? null,
  instanceId: explained.instanceId ?? null,
  scopes: explained.scopes,
  issuedAt: toJsonInstant(explained.issuedAt),
  expiresAt: toJsonInstant(explained.expiresAt),
  authenticatedAt: toJsonInstant(explained.authenticatedAt),
});
