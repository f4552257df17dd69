import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { followed } from "../../src/runtime/basis/resolved.ts";
import { closed } from "./closed-schema.ts";

/** Any object of a contract. */
interface Node {
  readonly [key: string]: unknown;
}

export interface Example {
  /** JSON pointer. */
  readonly place: string;
  /** JSON pointer of the schema that the example must match. */
  readonly schema: string;
  readonly value: unknown;
}

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** Every object of the document with its JSON pointer. */
function* nodesOf(node: unknown, pointer = "#"): Generator<readonly [string, Node]> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield [pointer, node as Node];
  for (const [key, part] of Object.entries(node)) yield* nodesOf(part, `${pointer}/${escaped(key)}`);
}

/**
 * Every example that has a schema: of media types, parameters and headers (OpenAPI), of messages' headers and payloads
 * (AsyncAPI).
 */
export function examplesOf(document: object): readonly Example[] {
  return [...nodesOf(document)].flatMap(([place, node]): readonly Example[] => {
    if (typeof node.payload === "object" && Array.isArray(node.examples))
      return (node.examples as readonly Node[]).flatMap((example, index) =>
        ["headers", "payload"].map((part) => ({
          place: `${place}/examples/${index}/${part}`,
          schema: `${place}/${part}`,
          value: example[part],
        })),
      );
    if (typeof node.schema !== "object") return [];
    const schema = `${place}/schema`;
    const single = "example" in node ? [{ place: `${place}/example`, schema, value: node.example }] : [];
    const named = Object.entries((node.examples ?? {}) as Node).map(([name, example]) => ({
      place: `${place}/examples/${escaped(name)}`,
      schema,
      value: followed<Node>(document, example).value,
    }));
    return [...single, ...named];
  });
}

const sayings = (validate: ValidateFunction): string =>
  (validate.errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`.trim())
    .join("; ");

/**
 * Examples that do not match their schema, one line for each departure. Objects are closed: an example must not show
 * undeclared members. No linter checks the examples of events.
 */
export function exampleDepartures(document: object, examples = examplesOf(document)): readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as AnySchema, "contract");
  return examples.flatMap(({ place, schema, value }) => {
    const pointer = schema.slice(1).split("/").map(encodeURIComponent).join("/");
    const validate = ajv.compile({ $ref: `contract#${pointer}` });
    return validate(value) ? [] : [`${place}: ${sayings(validate)}`];
  });
}
