import type { Command } from "commander";
import type { ExplainRefusalResponse } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { Verb } from "../../connection/verb.ts";
import { card, type Facts } from "../../output/card.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { plain, wrap } from "../../output/terminal-text.ts";

/** `gatehouse explain` */
export function addExplain(program: Command, verb: Verb): void {
  program
    .command("explain")
    .summary("explain to an application's developers why a sign-on request was refused")
    .description(
      "Explains why a sign-on request was refused, in words that can be sent to the application's developers. The id is the reference on an error page, or the x-request-id of an answer.",
    )
    .argument("<request-id>", "reference of the refused request (req_…)")
    .action(
      verb<object>(
        async ({ inspection, call }, _options, requestId = "") => {
          const refusal = await inspection.explainRefusal({ requestId }, call);
          return {
            json: toJson(refusal),
            text: (paint) =>
              `${wrap(plain(refusal.finding), WIDTH).join("\n")}\n\n${card(factsOf(refusal), paint)}${comparison(refusal)}\n${paint.label("What to do:")}\n${wrap(plain(refusal.advice), WIDTH).join("\n")}\n`,
          };
        },
        { request_id: "<request-id>" },
      ),
    );
}

const WIDTH = 80;

const factsOf = (refusal: ExplainRefusalResponse): Facts => [
  ["request", refusal.requestId],
  ["at", toShownInstant(refusal.at)],
  ["asked", refusal.operation],
  [
    "application",
    refusal.applicationId
      ? `${refusal.applicationId}${refusal.applicationName ? ` (${refusal.applicationName})` : ""}`
      : "none, or not a well-formed id",
  ],
  ["person", refusal.personId ?? undefined],
  ["parameters", refusal.parameters.length === 0 ? "none that are known" : refusal.parameters.join(" ")],
  ["redirect URI", refusal.nearest ? undefined : (refusal.redirectUri ?? undefined)],
  ["failed check", refusal.check],
  ["answered", refusal.error === "" ? "an error page" : refusal.error],
];

/** The sent address below the registered one, with a caret at the first difference. */
function comparison({ redirectUri, nearest }: ExplainRefusalResponse): string {
  if (!nearest || typeof redirectUri !== "string") return "";
  const { uri, differsAt, distance } = nearest;
  const margin = " ".repeat("registered  ".length);
  return [
    "",
    `sent        ${plain(redirectUri)}`,
    `registered  ${plain(uri)}`,
    `${margin}${" ".repeat(differsAt)}^ ${difference(redirectUri, uri, differsAt)}`,
    "",
    `The nearest registered redirect URI differs in ${distance} ${distance === 1 ? "character" : "characters"}, first in character ${differsAt + 1}.`,
    "",
  ].join("\n");
}

function difference(sent: string, registered: string, at: number): string {
  const [one, other] = [sent[at], registered[at]];
  if (one === undefined) return `“${plain(other ?? "")}” is missing here`;
  if (other === undefined) return `nothing follows here, but “${plain(one)}” was sent`;
  return `“${plain(one)}” in place of “${plain(other)}”`;
}

const toJson = (refusal: ExplainRefusalResponse) => ({
  requestId: refusal.requestId,
  at: toJsonInstant(refusal.at),
  operation: refusal.operation,
  check: refusal.check,
  error: refusal.error === "" ? null : refusal.error,
  finding: refusal.finding,
  advice: refusal.advice,
  applicationId: refusal.applicationId ?? null,
  applicationName: refusal.applicationName ?? null,
  parameters: refusal.parameters,
  redirectUri: refusal.redirectUri ?? null,
  nearestRedirectUri: refusal.nearest ?? null,
  personId: refusal.personId ?? null,
});
