import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resolve as followed } from "../support/contract.ts";

/** Any object of a contract. */
export interface Node {
  readonly [key: string]: unknown;
}

export const REST_CONTRACTS = ["sign-on", "gateway", "portal"] as const;
export const ALL_CONTRACTS = [...REST_CONTRACTS, "webhooks.asyncapi"] as const;

export type ContractName = (typeof ALL_CONTRACTS)[number];

const FOLDER = join(import.meta.dirname, "..", "..", "generated", "contracts");

export const contract = (name: ContractName): Node =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Node;

/** Follows `$ref` within the document. */
export const resolve = (document: Node, node: unknown): Node => followed(document, node) as Node;

export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Node;
  /** Those of the path first. */
  readonly parameters: readonly Node[];
  /** By status. */
  readonly responses: readonly (readonly [string, Node])[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every operation below `paths`, in the order of the contract. */
export function operationsOf(document: Node): readonly ContractOperation[] {
  return Object.entries(document.paths as Node).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Node)[method] as Node | undefined;
      if (operation === undefined) return [];
      const parameters = [
        ...(((item as Node).parameters ?? []) as unknown[]),
        ...((operation.parameters ?? []) as unknown[]),
      ];
      return [
        {
          operationId: String(operation.operationId),
          method: method.toUpperCase(),
          path,
          operation,
          parameters: parameters.map((parameter) => resolve(document, parameter)),
          responses: Object.entries(operation.responses as Node).map(
            ([status, response]) => [status, resolve(document, response)] as const,
          ),
        },
      ];
    }),
  );
}

/** Every object of the document with its JSON pointer, the document itself first. */
export function* nodesOf(node: unknown, pointer = "#"): Generator<readonly [string, Node]> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield [pointer, node as Node];
  for (const [key, part] of Object.entries(node))
    yield* nodesOf(part, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}
