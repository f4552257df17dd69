import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import type { GrpcContract, GrpcFailure, GrpcField, GrpcMethod } from "./grpc-contract.ts";
import { breakable, prose } from "./markdown.ts";
import type { MethodEntry } from "./outline.ts";

/** One method of gRPC: what it does, takes and answers; beside it the request and the answer as the proto has them. */
export function methodArticle({ anchor, title, path = "", says, method }: MethodEntry, contract: GrpcContract): Html {
  return html`<article class="topic" id="${anchor}">
<div class="says">
<h3><a class="permalink" href="#${anchor}">${title}</a></h3>
<p class="address"><span class="method">gRPC</span> <code>${breakable(path)}</code></p>
${prose(says)}
<details class="closer"><summary>Fields<span class="heard"> of ${title}</span></summary>
<h4>In the request${method.requestStream && ", a stream of messages"}</h4>
${fieldsOf(method.request, contract)}
<h4>In the answer${method.responseStream && ", a stream of messages"}</h4>
${fieldsOf(method.response, contract)}
</details>
</div>
<div class="shows">
<figure class="sample"><figcaption><span>Request</span> <span>proto</span></figcaption>${codeBox("Request", protoOf(method.request, contract))}</figure>
<figure class="result"><figcaption><span>Answer</span> <span>proto</span></figcaption>${codeBox("Answer", protoOf(method.response, contract))}</figure>
<p class="limits">${rpcOf(method)}</p>
</div>
</article>
`;
}

const rpcOf = ({ requestStream, responseStream }: GrpcMethod): string | false =>
  (requestStream && "The request is a stream: send several messages, then end it.") ||
  (responseStream && "The answer is a stream: read messages until it ends.");

/** The message as its file has it, without comments, which are beside it, and numbers, which are for compilers. */
function protoOf(name: string, { messages }: GrpcContract): string {
  const { name: short = "", fields = [] } = messages[name] ?? {};
  if (fields.length === 0) return `message ${short} {}`;
  const lines = fields.map((field) => {
    const before = field.repeated ? "repeated " : field.optional ? "optional " : "";
    return `${field.oneOf === undefined ? "  " : "    "}${before}${field.type} ${field.name};`;
  });
  const grouped = lines.flatMap((line, index) => {
    const group = fields[index]?.oneOf;
    const opens = group !== undefined && group !== fields[index - 1]?.oneOf;
    const closes = group !== undefined && group !== fields[index + 1]?.oneOf;
    return [...(opens ? [`  oneof ${group} {`] : []), line, ...(closes ? ["  }"] : [])];
  });
  return `message ${short} {\n${grouped.join("\n")}\n}`;
}

/** A message's fields; those of messages inside it in `details`, which need no script. */
function fieldsOf(name: string, contract: GrpcContract, around: readonly string[] = []): Html {
  const { fields = [], says = "" } = contract.messages[name] ?? {};
  if (fields.length === 0) return html`<p class="limits">Nothing.</p>`;
  return html`${prose(says)}<ul class="members" role="list">${fields.map((field) => fieldItem(field, fields, contract, [...around, name]))}</ul>`;
}

function fieldItem(
  field: GrpcField,
  beside: readonly GrpcField[],
  contract: GrpcContract,
  around: readonly string[],
): Html {
  const { name, type, of = "", repeated, optional, oneOf, says } = field;
  const others = beside.filter((one) => oneOf !== undefined && one.oneOf === oneOf && one.name !== name);
  const nested = contract.messages[of] !== undefined && !around.includes(of);
  return html`<li>
<p class="member"><code class="name">${name}</code> <span class="type">${repeated && "list of "}${type}</span>${optional && html` <span class="must">may be absent</span>`}</p>
${prose(says)}${others.length > 0 && html`<p class="limits">Either this or ${others.map((one, index) => html`${index > 0 && " or "}<code>${one.name}</code>`)}.</p>`}${wordsOf(of, contract)}
${nested && html`<details class="nested"><summary>Fields of <code>${name}</code></summary>${fieldsOf(of, contract, around)}</details>`}</li>
`;
}

/** The words of an enum; the one for "not set" is left out, since no answer has it and no request may. */
function wordsOf(name: string, { enums }: GrpcContract): Html | false {
  const words = (enums[name]?.words ?? []).filter((word) => !word.name.endsWith("_UNSPECIFIED"));
  return (
    words.length > 0 &&
    html`<p class="limits">One of:</p><ul>${words.map((word) => html`<li><code>${breakable(word.name)}</code>${word.says !== "" && html` ${word.says}`}</li>`)}</ul>`
  );
}

/** Every kind of failure that the comments name, with the methods that say more about it. */
export const failureList = (failures: readonly GrpcFailure[], anchorOf: (name: string) => string): Html =>
  html`<ul class="members" role="list">${failures.map(
    ({ reason, status, named }) => html`<li>
<p class="member"><code class="name">${reason}</code> <span class="type">${status}</span></p>
<p class="limits">Named by ${named.map((name, index) => html`${index > 0 && ", "}<a href="#${anchorOf(name)}">${name}</a>`)}.</p></li>
`,
  )}</ul>`;
