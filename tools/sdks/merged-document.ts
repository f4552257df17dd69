import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** Any object of a contract. */
export interface Node {
  readonly [key: string]: unknown;
}

export interface Operation extends Node {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Node>>;
}

export interface Document extends Node {
  readonly info: Node & { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>;
}

export const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** The two APIs, in the order in which an integrator uses them, by the name that their calls get. */
export const APIS = [
  { name: "sign-on", tag: "SignOn" },
  { name: "gateway", tag: "Gateway" },
] as const;

export const readContract = (name: string): Document =>
  JSON.parse(readFileSync(`generated/contracts/${name}.json`, "utf8")) as Document;

/** The operations of one path item, by method. */
export const operationsOf = (item: Readonly<Record<string, unknown>>): readonly (readonly [string, Operation])[] =>
  METHODS.flatMap((method) => (item[method] === undefined ? [] : [[method, item[method] as Operation] as const]));

/**
 * Sign-on and gateway as one document with one address, since the product serves both at one (R-D7). Every operation
 * has its own security and the tag of its API.
 * @throws Error when both have a component of the same name and its content differs.
 */
export function mergedDocument(): Document {
  const parts = APIS.map(({ name, tag }) => withOwnWords(withoutCodings(readContract(name)), tag));
  const [first] = parts as [Document, ...Document[]];
  const components: Record<string, Record<string, Node>> = {};
  for (const part of parts)
    for (const [kind, named] of Object.entries(part.components))
      for (const [name, component] of Object.entries(named)) {
        components[kind] ??= {};
        const known = components[kind][name];
        if (known !== undefined && !isDeepStrictEqual(known, component))
          throw new Error(`Both contracts have components/${kind}/${name}, and they differ: give one another name`);
        components[kind][name] = component;
      }
  return {
    openapi: first.openapi,
    info: {
      title: "Gatehouse",
      version: first.info.version,
      description: "Sign people in, and read who works where.",
      // With only the identifier a Java package would name another licence.
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "http://localhost:8080", description: "What `make run` starts." }],
    tags: APIS.map(({ tag }) => ({ name: tag })),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    components,
  };
}

/**
 * The contract without content codings: clients and servers negotiate them on a lower layer, and a mock that sends the
 * header's example with uncompressed bytes could not be read.
 */
export function withoutCodings<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutCodings) as T;
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => name !== "Content-Encoding" && name !== "ContentEncoding");
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutCodings(value)])) as T;
}

function withOwnWords(document: Document, tag: string): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      {
        ...item,
        ...Object.fromEntries(
          operationsOf(item).map(([method, operation]) => [
            method,
            { ...operation, tags: [tag], security: operation.security ?? document.security ?? [] },
          ]),
        ),
      },
    ]),
  );
  // Answers without an operation are declared beside the operations, in each contract separately (R-D7).
  const { Unrouted: _, Unread: __, ...responses } = document.components.responses ?? {};
  return { ...document, paths, components: { ...document.components, responses } } as Document;
}
