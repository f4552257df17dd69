import { newApiKey } from "../../src/workforce/integrations/api-key.ts";
import type { CallInit } from "../support/http.ts";
import { seededRandom } from "../support/random.ts";
import { type ContractName, type ContractOperation, contract, type Node, operationsOf, resolve } from "./contracts.ts";

/** A request that a contract gives as an example: what it requires, and nothing else. */
export interface ExampleRequest {
  readonly contract: ContractName;
  readonly operationId: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly init: CallInit;
}

/** One request for each operation of a contract, of the examples in it. */
export function exampleRequests(name: ContractName): readonly ExampleRequest[] {
  const document = contract(name);
  return operationsOf(document).map((operation) => ({
    contract: name,
    operationId: operation.operationId,
    method: operation.method,
    path: pathOf(document, operation),
    init: { method: operation.method, ...bodyOf(document, operation), headers: credentialsOf(document, operation) },
  }));
}

function pathOf(document: Node, { path, parameters }: ContractOperation): string {
  const required = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.required === true)
    .map((parameter) => [parameter.in, String(parameter.name), exampleOf(document, parameter)] as const);
  const filled = required
    .filter(([place]) => place === "path")
    .reduce((all, [, name, value]) => all.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = required.filter(([place]) => place === "query").map(([, name, value]) => [name, value]);
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query as [string, string][])}`;
}

/** The example of a parameter or media type, or the first of several. */
function exampleOf(document: Node, node: Node): string {
  const [first] = Object.values((node.examples ?? {}) as Node);
  const value = node.example ?? resolve(document, first ?? {}).value;
  if (value === undefined) throw new Error(`There is no example at ${String(node.name)}.`);
  return String(value);
}

function bodyOf(document: Node, { operation }: ContractOperation): Pick<CallInit, "json" | "form"> {
  if (operation.requestBody === undefined) return {};
  const [[type, media] = []] = Object.entries(resolve(document, operation.requestBody).content as Node);
  const [first] = Object.values(((media as Node | undefined)?.examples ?? {}) as Node);
  const { value } = resolve(document, first ?? {});
  return type === "application/json" ? { json: value } : { form: value as Readonly<Record<string, string>> };
}

/** Credentials of the form that the contract asks for; whose they are, only services know. */
function credentialsOf(document: Node, { operation }: ContractOperation): Readonly<Record<string, string>> {
  const security = (operation.security ?? document.security ?? []) as readonly Node[];
  const names = security.flatMap((one) => Object.keys(one));
  return {
    ...(names.includes("apiKey") ? { "x-api-key": newApiKey(seededRandom("example")) } : {}),
    // One that the body has already must not come by the header, too (RFC 6750 §2).
    ...(names.includes("accessToken") && operation.requestBody === undefined ? { authorization: "Bearer a.b.c" } : {}),
  };
}
