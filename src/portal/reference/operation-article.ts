import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import type { Answer, Header, MediaType, Operation, Parameter, Proof } from "./contract.ts";
import type { ErrorExamples } from "./error-examples.ts";
import { breakable, headAndRest, prose } from "./markdown.ts";
import type { OperationEntry } from "./outline.ts";
import { programs } from "./sample-figures.ts";
import type { Sample } from "./samples.ts";
import { type Described, listOf, schemaMembers } from "./schema-members.ts";

/** What an operation's article takes from its contract. */
export interface Around {
  /** Ways to prove who calls, where the operation names none. */
  readonly security: readonly Proof[];
  /** What to write for each way. */
  readonly proofs: Readonly<Record<string, string>>;
  /** Errors, which the page explains and shows once. */
  readonly errors: ErrorExamples;
  /** Where the page explains what a header of an answer is there. */
  headerAnchor(name: string, header: Header): string;
}

/** One operation: what it does and takes and answers; beside it a sample and the first answer, both in sight. */
export function operationArticle(entry: OperationEntry, sample: Sample, around: Around): Html {
  const { anchor, title, label, version, path = "", says, operation, parameters } = entry;
  return html`<article class="topic" id="${anchor}">
<div class="says">
<h3><a class="permalink" href="#${anchor}">${breakable(title)}</a></h3>
<p class="address"><span class="method">${label}</span> <code>${breakable(path)}</code>${version !== undefined && html` <span class="version">${version}</span>`}</p>
${prose(says)}
${proof(operation.security ?? around.security, around.proofs)}
<details class="closer"><summary>Parameters and answers<span class="heard"> of ${title}</span></summary>
${(["path", "query", "header"] as const).map((place) => parameterList(place, parameters))}
${body(operation)}
<h4>Answers</h4>
${Object.entries(operation.responses).map(([status, answer]) => answerOf(status, answer, around))}
</details>
</div>
<div class="shows">
${programs(sample)}
${firstAnswer(operation)}
</div>
</article>
`;
}

const proof = (security: readonly Proof[], proofs: Readonly<Record<string, string>>): Html | false => {
  const names = security.flatMap((one) => Object.keys(one));
  const optional = security.some((one) => Object.keys(one).length === 0);
  return (
    names.length > 0 &&
    html`<p class="limits">Send ${names.map((name) => html`<a href="#proof-${name}">${proofs[name] ?? name}</a>`)}${optional && ", or what the body has in its place"}.</p>`
  );
};

const PLACES = { path: "In the path", query: "In the query", header: "In headers" } as const;

function parameterList(place: keyof typeof PLACES, parameters: readonly Parameter[]): Html | false {
  const here = parameters.filter((one) => one.in === place);
  return here.length > 0 && html`<h4>${PLACES[place]}</h4>\n${listOf(here.map(toDescribed), "sent")}`;
}

const toDescribed = ({ name, schema = {}, description, required, example }: Parameter): Described => ({
  name,
  schema,
  description,
  required: required === true,
  example,
});

/** Media types of one schema are listed together. */
function body({ requestBody }: Operation): Html | false {
  if (requestBody === undefined) return false;
  const types = Object.keys(requestBody.content);
  const schema = Object.values(requestBody.content)[0]?.schema;
  return html`<h4>In the body</h4>
<p class="limits">${types.map((type, index) => html`${index > 0 && " or "}<code>${type}</code>`)}</p>
${schema !== undefined && schemaMembers(schema, "sent")}`;
}

function answerOf(status: string, answer: Answer, { errors, headerAnchor }: Around): Html {
  const works = status.startsWith("2");
  const { head, rest } = headAndRest(answer.description);
  return html`<details class="answer"${works && html` open`}>
<summary><span class="status">${status}</span> <span>${head}</span></summary>
${rest}${Object.entries(answer.content ?? {}).map(([type, media]) => contentOf(type, media, errors))}
${headerNames(answer.headers ?? {}, headerAnchor)}
</details>
`;
}

function contentOf(type: string, media: MediaType, errors: ErrorExamples): Html {
  const { schema = {}, examples = {} } = media;
  if (errors.has(media))
    return html`<p>The body is <a href="#errors">an error</a>: ${Object.values(examples).map((example, index) => html`${index > 0 && ", "}<a href="#${errors.anchorOf(example)}">${example.summary}</a>`)}.</p>`;
  if (schema.properties === undefined && schema.items === undefined && schema.oneOf === undefined)
    return html`<p class="limits"><code>${type}</code></p>`;
  return html`<p class="limits"><code>${type}</code>${schema.items !== undefined && ", an array"}</p>\n${schemaMembers(schema, "received")}`;
}

const headerNames = (headers: Readonly<Record<string, Header>>, anchorOf: Around["headerAnchor"]): Html | false =>
  Object.keys(headers).length > 0 &&
  html`<p class="limits">With the headers ${Object.entries(headers).map(([name, header], index) => html`${index > 0 && ", "}<a href="#${anchorOf(name, header)}">${name.toLowerCase()}</a>`)}.</p>`;

/** The answer that an integrator hopes for: the first that is not an error. */
function firstAnswer({ responses }: Operation): Html | false {
  const [status, answer] = Object.entries(responses).find(([code]) => /^[23]/.test(code)) ?? [];
  if (status === undefined || answer === undefined) return false;
  const [type, media] = Object.entries(answer.content ?? {})[0] ?? [];
  const value = Object.values(media?.examples ?? {})[0]?.value;
  const next = answer.headers?.Location?.example;
  const text = type === "text/html" ? undefined : value;
  return html`<figure class="result"><figcaption><span>Answer</span> <span class="status">${status}</span>${type !== undefined && html` <span>${type}</span>`}</figcaption>
${text !== undefined && codeBox("Answer", typeof text === "string" ? text : JSON.stringify(text, null, 2))}${type === "text/html" && html`<p class="page-note">A page for the person.</p>`}${next !== undefined && codeBox("Where the answer leads", `location: ${next}`)}${text === undefined && next === undefined && type === undefined && html`<p class="page-note">There is no body.</p>`}</figure>`;
}
