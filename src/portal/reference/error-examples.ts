import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import type { MediaType, OperationContract } from "./contract.ts";
import { operationGroups } from "./outline.ts";

type Example = NonNullable<MediaType["examples"]>[string];

/** The errors of a contract's answers, and where a page shows each. */
export interface ErrorExamples {
  /** Each once, in the order in which operations have them. */
  readonly all: Html;
  /** True for content whose examples are shown here. */
  has(content: MediaType): boolean;
  /** The place of an error that an answer may have. */
  anchorOf(example: Example): string;
}

/** @param title that of the schema which all errors of the contract have. */
export function errorExamples(contract: OperationContract, title: string): ErrorExamples {
  const has = ({ schema }: MediaType) => schema?.title === title;
  const examples = operationGroups(contract)
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => (entry.kind === "operation" ? Object.values(entry.operation.responses) : []))
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap((content) => (has(content) ? Object.values(content.examples ?? {}) : []));
  const anchors = new Map<string, string>();
  const all = [...Map.groupBy(examples, bodyOf)].map(([body, [example]], index) => {
    anchors.set(body, `error-${index + 1}`);
    return html`<div id="error-${index + 1}"><p class="limits">${example?.summary}</p>\n${codeBox("An error", body)}</div>\n`;
  });
  return { all: html`${all}`, has, anchorOf: (example) => anchors.get(bodyOf(example)) ?? "errors" };
}

const bodyOf = ({ value }: Example): string => JSON.stringify(value, null, 2);
