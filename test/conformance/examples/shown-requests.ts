import { contract, type Node, operationsOf, REST_CONTRACTS, resolve } from "../../contract/contracts.ts";

type Values = Readonly<Record<string, string>>;

/** A request as a contract shows it: the example of each parameter and header, and one example of the body. */
export interface ShownRequest {
  /** `operationId`, and where there is a body its media type and the example's name. */
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly inPath: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly body: { readonly type: string; readonly values: Values } | undefined;
  /** The example of the good answer, when it has one: its body, and the headers that have examples. */
  readonly answer: { readonly body: unknown; readonly headers: Values } | undefined;
}

/** Every request that the contracts show, in their order. */
export const shownRequests = (): readonly ShownRequest[] =>
  REST_CONTRACTS.flatMap((name) => {
    const document = contract(name);
    return operationsOf(document).flatMap(
      ({ operationId, method, path, operation, parameters, responses }): readonly ShownRequest[] => {
        const valuesIn = (place: string): Values =>
          Object.fromEntries(
            parameters
              .filter((one) => one.in === place && one.example !== undefined)
              .map(({ name: of, example }) => [String(of), String(example)]),
          );
        const good = responses.find(([status]) => status === "200")?.[1];
        const common = {
          operationId,
          method,
          path,
          inPath: valuesIn("path"),
          query: valuesIn("query"),
          headers: valuesIn("header"),
          answer: good === undefined ? undefined : shownAnswer(document, good),
        };
        const bodies = shownBodies(document, operation);
        if (bodies.length === 0) return [{ ...common, name: operationId, body: undefined }];
        return bodies.map(({ example, ...body }) => ({
          ...common,
          name: `${operationId} ${body.type} ${example}`,
          body,
        }));
      },
    );
  });

function shownBodies(document: Node, { requestBody }: Node) {
  const { content = {} } = (requestBody ?? {}) as { readonly content?: Readonly<Record<string, Node>> };
  return Object.entries(content).flatMap(([type, { examples }]) =>
    Object.entries(examples as Node).map(([example, node]) => ({
      type,
      example,
      values: resolve(document, node).value as Values,
    })),
  );
}

function shownAnswer(document: Node, response: Node): ShownRequest["answer"] {
  const headers = Object.entries((response.headers ?? {}) as Node).map(
    ([name, node]) => [name.toLowerCase(), String(resolve(document, node).example)] as const,
  );
  const [media] = Object.values((response.content ?? {}) as Readonly<Record<string, Node>>);
  const [example] = Object.values((media?.examples ?? {}) as Node);
  return { headers: Object.fromEntries(headers), body: resolve(document, example ?? {}).value };
}

/** The API key that the cursors of the examples belong to (R-X172). */
export function exampleApiKey(): string {
  const { securitySchemes } = contract("gateway").components as {
    readonly securitySchemes: Readonly<Record<string, Node>>;
  };
  return String(securitySchemes.apiKey?.["x-example"]);
}
