import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import type { MediaType, Schema } from "./contract.ts";
import type { OperationEntry } from "./outline.ts";

type Example = NonNullable<MediaType["examples"]>[string];

/** The errors of a contract's answers, and where a page shows each. */
export interface ErrorExamples {
  /** What they have in common; `undefined` where no answer is an error. */
  readonly schema: Schema | undefined;
  /** Each once, in the order in which operations have them. */
  readonly all: Html;
  /** True for content whose examples are shown here. */
  has(content: MediaType): boolean;
  /** The place of an error that an answer may have. */
  anchorOf(example: Example): string;
}

/** @param title that of the schema which all errors of the operations have. */
export function errorExamples(operations: readonly OperationEntry[], title: string): ErrorExamples {
  const has = ({ schema }: MediaType) => schema?.title === title;
  const errors = operations
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap(({ content = {} }) => Object.values(content))
    .filter(has);
  const examples = errors.flatMap((error) => Object.values(error.examples ?? {}));
  const anchors = new Map<string, string>();
  const all = [...Map.groupBy(examples, bodyOf)].map(([body, [example]], index) => {
    anchors.set(body, `error-${index + 1}`);
    return html`<div id="error-${index + 1}"><p class="limits">${example?.summary}</p>\n${codeBox("An error", body)}</div>\n`;
  });
  const anchorOf = (example: Example) => anchors.get(bodyOf(example)) ?? "errors";
  return { schema: errors[0]?.schema, all: html`${all}`, has, anchorOf };
}

const bodyOf = ({ value }: Example): string => JSON.stringify(value, null, 2);
