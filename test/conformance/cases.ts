import { followed } from "../../src/runtime/basis/resolved.ts";
import {
  type APIS,
  type Document,
  mergedDocument,
  type Node,
  type Operation,
  operationsOf,
} from "../../tools/sdks/merged-document.ts";

/** One row of the table: an operation, an answer that its contract declares, and one example of that answer. */
export interface Case {
  /** `operationId status example`. */
  readonly name: string;
  readonly api: (typeof APIS)[number]["tag"];
  readonly operationId: string;
  readonly method: string;
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly status: number;
  /** Undefined where the answer has no body. */
  readonly example: string | undefined;
  /** The code that tells this example from the others of its status: `code` of a problem, `error` of OAuth. */
  readonly code: string | undefined;
  /** What the contract itself shows of a request: values of parameters, and a body with its media type. */
  readonly shown: ShownRequest;
}

export interface ShownRequest {
  readonly path: Readonly<Record<string, string>>;
  /** The required ones. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: { readonly type: string; readonly value: unknown } | undefined;
  /** What must come along; `none` also where the body may hold it. */
  readonly credential: "apiKey" | "accessToken" | "none";
}

const document: Document = mergedDocument();

/** Every operation × declared answer × example, in the order of the contracts. */
export const CASES: readonly Case[] = Object.entries(document.paths).flatMap(([path, item]) =>
  operationsOf(item).flatMap(([method, operation]) => {
    const shown = shownRequest(item as unknown as Node, operation);
    return Object.entries(operation.responses).flatMap(([status, response]) =>
      examplesOf(response).map(({ example, code }) => ({
        name: [operation.operationId, status, example].filter((part) => part !== undefined).join(" "),
        api: (operation.tags as Case["api"][])[0] as Case["api"],
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        status: Number(status),
        example,
        code,
        shown,
      })),
    );
  }),
);

function examplesOf(response: Node): readonly Pick<Case, "example" | "code">[] {
  const content = Object.values((followed<Node>(document, response).content ?? {}) as Readonly<Record<string, Node>>);
  const named = content.flatMap(({ examples }) => Object.entries((examples ?? {}) as Node));
  if (named.length === 0) return [{ example: undefined, code: undefined }];
  return named.map(([example, node]) => {
    const { code, error } = (followed<Node>(document, node).value ?? {}) as {
      readonly code?: string;
      readonly error?: string;
    };
    return { example, code: code ?? error };
  });
}

function shownRequest(item: Node, operation: Operation): ShownRequest {
  const parameters = [...((item.parameters ?? []) as Node[]), ...((operation.parameters ?? []) as Node[])]
    .map((parameter) => followed<Node>(document, parameter))
    .filter((parameter) => parameter.in !== "header" && parameter.required === true);
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place).map(({ name, example }) => [String(name), String(example)]),
    );
  const content = (operation.requestBody as { readonly content: Readonly<Record<string, Node>> } | undefined)?.content;
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  const [example] = Object.values((media?.examples ?? {}) as Node);
  return {
    path: valuesIn("path"),
    query: valuesIn("query"),
    body: type === undefined ? undefined : { type, value: followed<Node>(document, example).value },
    credential: credentialOf(operation),
  };
}

function credentialOf({ security }: Operation): ShownRequest["credential"] {
  const required = security as readonly Node[];
  if (required.some((one) => "apiKey" in one)) return "apiKey";
  return required.length === 1 && required.some((one) => "accessToken" in one) ? "accessToken" : "none";
}
