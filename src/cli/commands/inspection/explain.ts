import { type Command, InvalidArgumentError } from "commander";
import type { ExplainRefusalResponse } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { ExplainGatewayRefusalResponse } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { idFormViolation } from "#runtime/basis/id-violation.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { wrap } from "#runtime/basis/terminal-lines.ts";
import { counted } from "#runtime/basis/text.ts";
import type { Verb } from "../../connection/verb.ts";
import { run, runWords } from "../../output/advice.ts";
import { card, type Facts } from "../../output/card.ts";
import { toJsonInstant, toShownSecond } from "../../output/instant.ts";
import type { OutcomeWords } from "../../output/outcome.ts";
import type { Paint } from "../../output/paint.ts";
import { plain } from "../../output/terminal-text.ts";
import { askedOperation } from "./asked-operation.ts";

/** `gatehouse explain` */
export function addExplain(program: Command, verb: Verb): void {
  program
    .command("explain")
    .summary("explain why a sign-on request, a sign-in or a gateway request was refused")
    .description(
      "Explains why a sign-on request, a person's sign-in or a request of the gateway was refused, in words that can be sent to developers. The id is the reference on a page, the x-request-id of an answer, or the requestId of a problem.",
    )
    .argument(
      "<request-id>",
      "reference of the refused request (req_…); “gatehouse refusals list” shows the last ones",
      parseRequestId,
    )
    .action(
      verb<object>(
        async (asked, _options, requestId = "") => {
          const { inspection, workforce, call } = asked;
          const refusal = await inspection.explainRefusal({ requestId }, call).catch(unlessUnknown);
          if (refusal !== undefined)
            return {
              json: toJson(refusal),
              text: (paint, columns) => explanation(refusal, factsOf(refusal), comparison(refusal), { paint, columns }),
              ...(refusal.personId ? { next: run`gatehouse people explain ${refusal.personId}` } : nextOf(refusal)),
            };
          const ofGateway = await workforce.explainGatewayRefusal({ requestId }, call);
          return {
            json: toGatewayJson(ofGateway),
            text: (paint, columns) => explanation(ofGateway, gatewayFacts(ofGateway), "", { paint, columns }),
            ...nextOf(ofGateway),
          };
        },
        { request_id: "<request-id>" },
      ),
    );
}

/** @throws InvalidArgumentError for what no answer has as its id: looking for it would say only that nothing is there. */
function parseRequestId(text: string): string {
  if (parseId("request", text) === undefined) throw new InvalidArgumentError(`It ${idFormViolation("request")}.`);
  return text;
}

/** The whole command that the services advise, if they know one; those of an earlier version never do. */
const nextOf = ({ command }: Pick<ExplainRefusalResponse, "command">): OutcomeWords =>
  command.length === 0 ? {} : { next: runWords(["gatehouse", ...command]) };

/** Of sentences; a narrower terminal has less. */
const WIDTH = 80;

/** A refusal that sign-on does not have may be one of the gateway. */
function unlessUnknown(error: unknown): undefined {
  if (error instanceof Failure && error.reason === "refusal_not_found") return undefined;
  throw error;
}

const explanation = (
  { finding, advice }: Pick<ExplainRefusalResponse, "finding" | "advice">,
  facts: Facts,
  more: string,
  { paint, columns }: { readonly paint: Paint; readonly columns: number | undefined },
): string => {
  const lines = (sentences: string) => wrap(plain(sentences), Math.min(columns || WIDTH, WIDTH)).join("\n");
  return `${lines(finding)}\n\n${card(facts, paint, columns)}${more}\n${paint.label("What to do:")}\n${lines(advice)}\n`;
};

const gatewayFacts = (refusal: ExplainGatewayRefusalResponse): Facts => [
  ["request", refusal.requestId],
  ["at", toShownSecond(refusal.at)],
  ["asked", askedOperation(refusal.operation) ?? "a request that is not valid"],
  ["API key", named(refusal.apiKeyId, refusal.apiKeyLabel) ?? "unknown"],
  ["integration", named(refusal.integrationId, refusal.integrationName)],
  ["ids", refusal.ids],
  ["failed check", asInApi(refusal.check)],
];

/** `tenant_not_found` → `client_not_found`: the text is sent to developers, who know a tenant by the API's word for it. */
export const asInApi = (check: string): string => check.replaceAll("tenant", "client");

/** `key_… (production)` */
const named = (id: string | null | undefined, name: string | null | undefined): string | undefined =>
  id ? `${id}${name ? ` (${name})` : ""}` : undefined;

const toGatewayJson = (refusal: ExplainGatewayRefusalResponse) => ({
  requestId: refusal.requestId,
  at: toJsonInstant(refusal.at),
  operation: askedOperation(refusal.operation) ?? null,
  check: refusal.check,
  finding: refusal.finding,
  advice: refusal.advice,
  command: refusal.command,
  apiKeyId: refusal.apiKeyId ?? null,
  apiKeyLabel: refusal.apiKeyLabel ?? null,
  integrationId: refusal.integrationId ?? null,
  integrationName: refusal.integrationName ?? null,
  ids: refusal.ids,
});

const factsOf = (refusal: ExplainRefusalResponse): Facts => [
  ["request", refusal.requestId],
  ["at", toShownSecond(refusal.at)],
  ["asked", askedOperation(refusal.operation)],
  ["application", named(refusal.applicationId, refusal.applicationName) ?? "none, or not a well-formed id"],
  ["person", refusal.personId ?? undefined],
  ["parameters", refusal.parameters.length === 0 ? "none that are known" : refusal.parameters.join(" ")],
  ["redirect URI", refusal.nearest ? undefined : (refusal.redirectUri ?? undefined)],
  ["failed check", refusal.check],
  ["answered", refusal.error === "" ? "a page" : refusal.error],
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
    `The nearest registered redirect URI differs in ${counted(distance, "character")}, first in character ${differsAt + 1}.`,
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
  operation: askedOperation(refusal.operation) ?? null,
  check: refusal.check,
  error: refusal.error === "" ? null : refusal.error,
  finding: refusal.finding,
  advice: refusal.advice,
  command: refusal.command,
  applicationId: refusal.applicationId ?? null,
  applicationName: refusal.applicationName ?? null,
  parameters: refusal.parameters,
  redirectUri: refusal.redirectUri ?? null,
  nearestRedirectUri: refusal.nearest ?? null,
  personId: refusal.personId ?? null,
});
