import { followed } from "../../src/runtime/basis/resolved.ts";
import {
  type Document,
  mergedDocument,
  type Node,
  type Operation,
  operationsOf,
  readContract,
} from "./merged-document.ts";

const FORM = "application/x-www-form-urlencoded";

/** Checks of values are the server's. Generated code makes some of them, each language others, and refuses answers by them. */
const VALUE_CHECKS = new Set(["pattern", "minLength", "maxLength", "minimum", "maximum"]);

/**
 * The document that SDKs are generated from: both APIs without the pages for browsers, with bodies in JSON only, and
 * with every extensible enum as a plain string. The generators read only one body type, and generated code refuses
 * unknown values. Nor do they have `If-Match`: it would be one more argument of every read, and of writes, whose answers
 * come without the `ETag` that it wants. Below /v1/webhooks there is no `If-None-Match` either: SDKs do not remember these
 * answers. Request bodies do not mention additional members, which the TypeScript generator would send twice.
 * The bodies of events are there too, though no operation has them: the SDKs verify and type events.
 */
export function sdkDocument(): Document {
  const merged = mergedDocument();
  const paths = Object.fromEntries(
    Object.entries(merged.paths).flatMap(([path, item]) => {
      const kept = operationsOf(item).filter(([, operation]) => isForPrograms(merged, operation));
      const { parameters } = item as unknown as Node;
      const shared = parameters === undefined ? {} : { parameters };
      const operations = kept.map(
        ([method, operation]) => [method, withoutConditions(merged, path, jsonOnly(operation))] as const,
      );
      return kept.length === 0 ? [] : [[path, { ...shared, ...Object.fromEntries(operations) }] as const];
    }),
  );
  const flat = Object.entries(merged.components.schemas ?? {}).map(([name, schema]) => [
    name,
    flattened(merged, schema),
  ]);
  const components = { ...merged.components, schemas: Object.fromEntries(flat) };
  const document = { ...merged, paths: opened(paths), components: opened(components) } as Document;
  return withUsedComponents(document, eventSchemas());
}

/** References to the bodies of all events. */
function eventSchemas(): readonly Node[] {
  const { webhooks } = readContract("gateway");
  const bodies = Object.values(webhooks as Document["paths"]).map(({ post }) => post?.requestBody);
  return bodies.map(
    (body) => (body as { content: Readonly<Record<string, Node>> }).content["application/json"] as Node,
  );
}

type Properties = Readonly<Record<string, Node>>;

/**
 * One object instead of several that a member distinguishes: generators make of those a type that wraps another, and a
 * caller has to name both. It requires what all of them require.
 */
function flattened(document: Document, schema: Node): Node {
  const { oneOf, discriminator, ...said } = schema as Node & { readonly oneOf?: readonly Node[] };
  if (discriminator === undefined || oneOf === undefined) return schema;
  const variants = oneOf.map((one) => followed<Node & { properties: Properties; required: string[] }>(document, one));
  const { propertyName } = discriminator as { readonly propertyName: string };
  const words = variants.map(({ properties }) => properties[propertyName]?.const);
  const members: Properties = Object.assign({}, ...variants.map(({ properties }) => properties));
  const { const: _, ...described } = members[propertyName] ?? {};
  const isRequired = (name: string) => variants.every(({ required }) => required.includes(name));
  return {
    ...said,
    type: "object",
    required: Object.keys(members).filter(isRequired),
    properties: { ...members, [propertyName]: { ...described, enum: words } },
  };
}

/** True for an operation that takes a body in JSON or none, and answers success in JSON or without a body. */
function isForPrograms(document: Document, { requestBody, responses }: Operation): boolean {
  const taken = (requestBody as { readonly content?: Node } | undefined)?.content;
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const given = answers.map(([, response]) => followed<Node>(document, response).content as Node | undefined);
  const isJson = (content: Node | undefined) => content === undefined || "application/json" in content;
  return isJson(taken) && given.length > 0 && given.every(isJson);
}

function withoutConditions(document: Document, path: string, operation: Operation): Operation {
  if (operation.parameters === undefined) return operation;
  const left = path.startsWith("/v1/webhooks/") ? ["If-Match", "If-None-Match"] : ["If-Match"];
  const kept = (operation.parameters as readonly Node[]).filter(
    (one) => !left.includes(String(followed<Node>(document, one).name)),
  );
  return { ...operation, parameters: kept };
}

function jsonOnly(operation: Operation): Operation {
  const body = operation.requestBody as (Node & { readonly content: Node }) | undefined;
  if (body === undefined) return operation;
  const { [FORM]: _, ...content } = body.content;
  return { ...operation, requestBody: { ...body, content } };
}

/**
 * Lists of allowed words as `x-extensible-enum`, with the words in the description: a new word must not break a client.
 * Without checks of values, of which a constant number or truth value is one: of `true` the Python generator makes the
 * text.
 */
function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened);
  if (typeof node !== "object" || node === null) return node;
  const { enum: words, ...all } = node as Node & { readonly enum?: readonly unknown[] };
  const { additionalProperties, ...closed } = all;
  const rest = "properties" in all && typeof additionalProperties === "object" ? closed : all;
  const copy = Object.fromEntries(
    Object.entries(rest)
      .filter(([key, part]) => !(VALUE_CHECKS.has(key) && typeof part !== "object"))
      .filter(([key, part]) => !(key === "const" && (typeof part === "number" || typeof part === "boolean")))
      .map(([key, part]) => [key, key === "example" || key === "examples" ? part : opened(part)]),
  );
  if (!Array.isArray(words) || words.length < 2) return words === undefined ? copy : { ...copy, enum: words };
  const said = `One of ${words.map((word) => `\`${word}\``).join(", ")}; more may be added.`;
  const description = rest.description === undefined ? said : `${String(rest.description)} ${said}`;
  return { ...copy, description, "x-extensible-enum": words };
}

/** Removes components that neither a path nor one of `further` refers to. */
function withUsedComponents(document: Document, further: readonly Node[]): Document {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { $ref, mapping } = node as { readonly $ref?: unknown; readonly mapping?: Readonly<Record<string, string>> };
    for (const reference of [$ref, ...Object.values(mapping ?? {})]) {
      if (typeof reference !== "string" || !reference.startsWith("#/") || used.has(reference)) continue;
      used.add(reference);
      visit(followed(document, { $ref: reference }));
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit([document.paths, further]);
  const components = Object.entries(document.components).map(([kind, named]) => {
    const kept = Object.entries(named).filter(
      ([name]) => kind === "securitySchemes" || used.has(`#/components/${kind}/${name}`),
    );
    return [kind, Object.fromEntries(kept)] as const;
  });
  return { ...document, components: Object.fromEntries(components) };
}
