import { type Html, html } from "#runtime/pages/html.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import type { PartName } from "../frame/documented.ts";
import { answerHeaders } from "./answer-headers.ts";
import { eventContract, gatewayContract, platformContract, signOnContract } from "./bundles.ts";
import type { EventContract, OperationContract, Schema } from "./contract.ts";
import { type ErrorExamples, errorExamples } from "./error-examples.ts";
import { eventArticle } from "./event-article.ts";
import { failuresOf, type GrpcContract } from "./grpc-contract.ts";
import { prose } from "./markdown.ts";
import { failureList, methodArticle } from "./method-article.ts";
import { type Around, operationArticle } from "./operation-article.ts";
import {
  type EventEntry,
  eventGroups,
  type Group,
  type MethodEntry,
  methodGroups,
  type OperationEntry,
  operationGroups,
} from "./outline.ts";
import { LANGUAGES, type Samples, samplesOf } from "./samples.ts";
import { listOf, schemaMembers } from "./schema-members.ts";

/** One contract as a page shows it. */
export interface Part {
  readonly version: string;
  /** Languages that its samples are shown in; none where it has no samples. */
  readonly languages: readonly string[];
  /** What holds for everything in it, in paragraphs. */
  readonly intro: Html;
  readonly groups: readonly Group[];
  /** Sections of their own after the groups: what several entries refer to. */
  readonly sections: readonly Section[];
  /** The article of one of its entries. */
  draw(entry: Group["entries"][number]): Html;
}

interface Section {
  readonly anchor: string;
  readonly name: string;
  readonly body: Html;
}

/** The parts that can be read, by the name of their page. */
export const PARTS = {
  "sign-on": (servers: Servers) =>
    operationPart(signOnContract(servers.issuer), samplesOf("sign-on", servers), {
      schema: "OAuthError",
      proofs: { applicationSecret: "your application's id and secret", accessToken: "an access token" },
    }),
  gateway: (servers: Servers) =>
    operationPart(gatewayContract(servers.gatewayUrl), samplesOf("gateway", servers), {
      schema: "Problem",
      proofs: { apiKey: "your API key" },
    }),
  events: (servers: Servers) => eventPart(eventContract(), samplesOf("events", servers)),
  platform: () => grpcPart(platformContract()),
} satisfies Record<PartName, (servers: Servers) => Part>;

function operationPart(
  contract: OperationContract,
  samples: Samples,
  { schema, proofs }: { readonly schema: string; readonly proofs: Readonly<Record<string, string>> },
): Part {
  const groups = operationGroups(contract);
  const operations = groups.flatMap(({ entries }) => entries as readonly OperationEntry[]);
  const headers = answerHeaders(contract);
  const errors = errorExamples(operations, schema);
  const around: Around = {
    security: contract.security,
    proofs,
    errors,
    headerAnchor: headers.anchorOf,
  };
  return {
    version: contract.info.version,
    languages: LANGUAGES,
    intro: html`${prose(contract.info.description)}`,
    groups,
    sections: [
      { anchor: "proof", name: "How you prove who you are", body: proofSection(contract, proofs) },
      ...(errors.schema === undefined
        ? []
        : [{ anchor: "errors", name: "Errors", body: errorSection(schema, errors.schema, errors) }]),
      {
        anchor: "headers",
        name: "Headers of answers",
        body: listOf(headers.all, "received"),
      },
    ],
    draw: (entry) =>
      operationArticle(
        entry as OperationEntry,
        present(samples, (entry as OperationEntry).operation.operationId),
        around,
      ),
  };
}

const eventPart = (contract: EventContract, samples: Samples): Part => ({
  version: contract.info.version,
  languages: LANGUAGES,
  intro: html`${prose(contract.info.description)}`,
  groups: eventGroups(contract),
  sections: [
    {
      anchor: "headers",
      name: "Headers of every delivery",
      body: html`${Object.values(contract.components.messages)
        .slice(0, 1)
        .map(({ headers }) => schemaMembers(headers, "received"))}`,
    },
  ],
  draw: (entry) => eventArticle(entry as EventEntry, present(samples, entry.title)),
});

function grpcPart(contract: GrpcContract): Part {
  const groups = methodGroups(contract);
  const anchors = new Map(
    groups.flatMap(
      ({ name, anchor, entries }) =>
        [[name, anchor], ...entries.map((one) => [one.title, one.anchor])] as [string, string][],
    ),
  );
  return {
    version: contract.version,
    languages: [],
    intro: html`${prose(contract.description)}`,
    groups,
    sections: [
      {
        anchor: "refusals",
        name: "Refusals",
        body: html`<p>Words of <code>gatehouse-reason</code>. An id of something that does not exist is NOT_FOUND with the kind of thing and <code>_not_found</code>; a field that breaks a rule is INVALID_ARGUMENT.</p>
${failureList(failuresOf(contract), (name) => anchors.get(name) ?? "")}`,
      },
    ],
    draw: (entry) => methodArticle(entry as MethodEntry, contract),
  };
}

function present(samples: Samples, name: string): Samples[string] {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`There is no sample of ${name}; tools/samples makes them.`);
  return sample;
}

const errorSection = (title: string, schema: Schema, { all }: ErrorExamples): Html => html`${prose(schema.description)}
${title === "Problem" && html`<p>Each code has a page of its own with cause and cure; <code>type</code> leads there.</p>`}
${schemaMembers(schema, "received")}
${all}`;

const proofSection = ({ components }: OperationContract, proofs: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(components.securitySchemes).map(
    ([name, { description }]) =>
      html`<div id="proof-${name}"><h3>With ${proofs[name] ?? name}</h3>${prose(description)}</div>\n`,
  )}`;
