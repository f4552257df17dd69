import { followed } from "../basis/resolved.ts";

const METHODS = ["get", "put", "post", "delete", "patch"] as const;

export type Method = Uppercase<(typeof METHODS)[number]>;

/** A JSON Schema; of its keywords only the type is asked here. */
interface Schema {
  readonly type?: string;
}

interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** Every media type of a body has the same schema. */
interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly required?: boolean;
}

interface PathItem {
  readonly parameters?: readonly object[];
  readonly "x-cors"?: string;
}

/** What an OpenAPI document says of an operation's requests, with its references followed. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly cors: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  /** Where the operation says that it will end. */
  readonly announced: object;
}

/** The operations of an OpenAPI 3.1 document. */
export function describedOperations(document: object): readonly DescribedOperation[] {
  const { paths } = document as { readonly paths: Readonly<Record<string, PathItem>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = (item as Readonly<Record<string, object>>)[method] as {
        readonly operationId: string;
        readonly parameters?: readonly object[];
        readonly requestBody?: object;
      };
      return {
        operationId: operation.operationId,
        method: method.toUpperCase() as Method,
        path,
        cors: item["x-cors"],
        parameters: [...(operation.parameters ?? []), ...(item.parameters ?? [])].map((one) =>
          toParameter(document, one),
        ),
        body: operation.requestBody && followed<Body>(document, operation.requestBody),
        announced: operation,
      };
    }),
  );
}

function toParameter(document: object, described: object): Parameter {
  const parameter = followed<Parameter>(document, described);
  return { ...parameter, schema: followed(document, parameter.schema) };
}

/** A schema for the requests of each operation, by its id, beside the schemas that they refer to. */
interface SchemasOfPart {
  readonly components: object;
  readonly $defs: Readonly<Record<string, object>>;
}

/** Schemas of requests, each an object of `path`, `query`, `header` and `requestBody`. */
export interface RequestSchemas {
  readonly bodies: SchemasOfPart;
  /** Header fields by their names in lower case; others are ignored, and unknown parameters of an address are refused. */
  readonly parameters: SchemasOfPart;
}

/** The schemas that a document has for the requests of these operations. */
export function requestSchemas(document: object, operations: readonly DescribedOperation[]): RequestSchemas {
  const { components } = document as { readonly components?: { readonly schemas?: object } };
  const each = (schemaOf: (operation: DescribedOperation) => object): SchemasOfPart => ({
    components: { schemas: components?.schemas },
    $defs: Object.fromEntries(operations.map((operation) => [operation.operationId, schemaOf(operation)])),
  });
  return { bodies: each(bodySchema), parameters: each(parametersSchema) };
}

function bodySchema({ body }: DescribedOperation): object {
  const [media] = Object.values(body?.content ?? {});
  if (media === undefined) return {};
  return { properties: { requestBody: media.schema }, required: body?.required === true ? ["requestBody"] : [] };
}

function parametersSchema({ parameters }: DescribedOperation): object {
  const schemaOf = (place: Parameter["in"]): object => {
    const here = parameters.filter((one) => one.in === place);
    const nameOf = ({ name }: Parameter): string => (place === "header" ? name.toLowerCase() : name);
    return {
      properties: Object.fromEntries(here.map((one) => [nameOf(one), one.schema])),
      required: here.filter(({ required }) => required === true).map(nameOf),
      additionalProperties: place === "header",
    };
  };
  return { properties: { path: schemaOf("path"), query: schemaOf("query"), header: schemaOf("header") } };
}
