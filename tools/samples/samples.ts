import type { EventContract, OperationContract } from "../../src/portal/reference/contract.ts";
import { eventGroups, type OperationEntry, operationGroups } from "../../src/portal/reference/outline.ts";
import type { Sample, Samples } from "../../src/portal/reference/samples.ts";
import { resolved } from "../../src/runtime/basis/resolved.ts";
import { eventPrograms } from "./event-programs.ts";
import { gatewayPrograms } from "./gateway-programs.ts";
import { shownRequest } from "./shown-request.ts";
import { addressPrograms, signOnPrograms } from "./sign-on-programs.ts";
import { webhooksPrograms } from "./webhooks-programs.ts";

/** Every sample of the reference, by contract and by operation or event, made of the contracts' examples. */
export const samples = (bundles: {
  readonly signOn: object;
  readonly gateway: object;
  readonly events: object;
}): Readonly<Record<"sign-on" | "gateway" | "events", Samples>> => ({
  "sign-on": signOnSamples(resolved(bundles.signOn)),
  gateway: gatewaySamples(resolved(bundles.gateway)),
  events: eventSamples(resolved(bundles.events)),
});

const operationsOf = (contract: OperationContract): readonly OperationEntry[] =>
  operationGroups(contract).flatMap(({ entries }) => entries as readonly OperationEntry[]);

const gatewaySamples = (contract: OperationContract): Samples =>
  Object.fromEntries(
    operationsOf(contract).map((entry) => {
      const { operationId } = entry.operation;
      const request = shownRequest(entry);
      const isOwnWebhooks = entry.path?.startsWith("/v1/webhooks/") === true;
      const programs = isOwnWebhooks ? webhooksPrograms(entry, request) : gatewayPrograms(operationId, request);
      return [operationId, { says: request.method === "GET" ? "Ask for it" : "Call it", programs }];
    }),
  );

function signOnSamples(contract: OperationContract): Samples {
  const operations = operationsOf(contract);
  return Object.fromEntries(operations.map((entry) => [entry.operation.operationId, signOnSample(entry, operations)]));
}

function signOnSample(entry: OperationEntry, all: readonly OperationEntry[]): Sample {
  const { operationId, tags, security = [] } = entry.operation;
  const request = shownRequest(entry);
  if (tags[0] === "Pages")
    return entry.label === "GET"
      ? { says: "What the browser opens", browser: request.url }
      : { says: "What the form of the page sends", browser: sentForm(request.url, request.form) };
  if (tags[0] === "Authorization") {
    // The form's example is what an ordinary request has; the parameters alone have examples that exclude one another.
    const post = all.find(({ path, label }) => path === entry.path && label === "POST");
    const form = post === undefined ? {} : shownRequest(post).form;
    if (entry.label === "POST")
      return { says: "A form that the browser posts", browser: markupForm(request.url, request.form) };
    return {
      says: "The address for the browser",
      programs: addressPrograms(operationId, shownRequest(entry, form).url),
    };
  }
  const bearer = security.some((one) => "accessToken" in one) && entry.label === "GET";
  return { says: "Call it", programs: signOnPrograms({ ...request, operationId, bearer }) };
}

const sentForm = (url: string, form: Readonly<Record<string, string>>): string => `POST ${url}
content-type: application/x-www-form-urlencoded

${new URLSearchParams(form)}`;

const markupForm = (
  url: string,
  form: Readonly<Record<string, string>>,
): string => `<form method="post" action="${url}">
${Object.entries(form)
  .map(([name, value]) => `  <input type="hidden" name="${name}" value="${value}">`)
  .join("\n")}
  <button>Continue</button>
</form>`;

const eventSamples = (contract: EventContract): Samples =>
  Object.fromEntries(
    eventGroups(contract).flatMap(({ entries }) =>
      entries.map((entry) => {
        const example = entry.kind === "event" ? entry.message.examples[0]?.payload : undefined;
        return [
          entry.title,
          {
            says: "Receive it",
            saysIn: { curl: "Try your receiver" },
            programs: eventPrograms(entry.title, example ?? {}),
          },
        ];
      }),
    ),
  );
