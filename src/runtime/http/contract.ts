import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { idPatternViolation } from "../basis/id-violation.ts";
import { counted, isWord } from "../basis/text.ts";
import {
  type DescribedOperation,
  describedOperations,
  type Method,
  type RequestSchemas,
  requestSchemas,
} from "./contract-document.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { InvalidPart } from "./operation.ts";

/** An operation as the routes need it. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: Method;
  /** Path template in Fastify's spelling, `/v1/x/:id`. */
  readonly route: string;
  readonly queryNames: ReadonlySet<string>;
  /** Names of the parameters that are whole numbers, in the path and in the query. */
  readonly integerNames: readonly string[];
  /** Declared media types of the body; empty when there is none. */
  readonly mediaTypes: readonly string[];
  /** False where the body is optional. */
  readonly bodyRequired: boolean;
  /** Which origins' pages may call the path (`x-cors` of the path); `undefined`: none. */
  readonly cors: string | undefined;
  /** Header fields that announce the operation's end in every answer; `undefined` when none is announced. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
}

/** A request whose address and body are parsed. */
interface ParsedRequest {
  /** Decoded parts of the path, by the names of the template. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** What could not be read and has a part already. */
  readonly unread: {
    readonly body: boolean;
    /** Names of parameters; empty where the name could not be read either. */
    readonly query: readonly string[];
  };
}

/** The operation table and the compiled validators of one contract. */
export interface Contract {
  readonly operations: readonly ContractOperation[];
  /** True when every path answers OPTIONS with the methods there are (`x-options`). */
  readonly answersOptions: boolean;
  /** The parts that break the contract; empty when the request keeps it. */
  validate(operationId: string, request: ParsedRequest): readonly InvalidPart[];
}

const loaded = new WeakMap<object, Contract>();

/** Compiles every validator once for a document, however many listeners a process has; nothing is compiled per request. */
export function loadContract(document: object): Contract {
  const contract = loaded.get(document) ?? compiled(document);
  loaded.set(document, contract);
  return contract;
}

function compiled(document: object): Contract {
  const described = describedOperations(document);
  const schemas = requestSchemas(document, described);
  const ofBody = validatorsOf({}, schemas.bodies);
  const ofParameters = validatorsOf({ coerceTypes: true }, schemas.parameters);
  const operations = described.map(toContractOperation);
  const table = new Map(
    operations.map(({ operationId, integerNames }) => [
      operationId,
      { integerNames, validators: [ofBody(operationId), ofParameters(operationId)] },
    ]),
  );
  return {
    operations,
    answersOptions: "x-options" in document,
    validate(operationId, { params, query, headers, body, unread }) {
      const { integerNames = [], validators = [] } = table.get(operationId) ?? {};
      // Coercion writes into path and query, hence the copies.
      const subject = {
        path: decimal(params, integerNames),
        query: decimal(query, integerNames),
        header: headers,
        ...(body === undefined ? {} : { requestBody: body }),
      };
      const parts: InvalidPart[] = [];
      for (const validate of validators) {
        if (validate(subject)) continue;
        for (const error of (validate.errors ?? []).slice(0, MISTAKES_MAX)) {
          const part = toInvalidPart(error, query);
          if (!isUnread(part, error.keyword, unread)) parts.push(part);
        }
      }
      // When one part breaks several rules, only the first is reported.
      return parts.filter((part, index) => index === parts.findIndex((first) => isSamePart(first, part)));
    },
  };
}

/** Mistakes of parameters, and of a body, that are reported; of the tens of thousands that 64 KiB can have, Ajv finds all. */
const MISTAKES_MAX = 100;

/** One spelling of a whole number: no exponent, no sign but a minus, no zero or space in front. */
const DECIMAL = /^(0|-?[1-9]\d*)$/;

/**
 * A copy in which a number in another spelling becomes a list, which every scalar schema rejects: Ajv would coerce
 * `1e3` and ` 5`.
 */
function decimal(parameters: ParsedRequest["query"], names: readonly string[]): ParsedRequest["query"] {
  const copy = { ...parameters };
  for (const name of names) {
    const value = copy[name];
    if (typeof value === "string" && !DECIMAL.test(value)) copy[name] = [value];
  }
  return copy;
}

/**
 * A time of RFC 3339 §5.6 that our clocks have too: they have no leap seconds, and a date that cannot be computed with
 * must not get past the contract. ajv-formats also takes a space for the `T` and an offset without its colon, which
 * `Date` reads by rules of its own: the year 50 as 1950.
 */
const isInstant = (text: string): boolean =>
  RFC_3339.test(text) && DATE_TIME.validate(text) && !Number.isNaN(Date.parse(text));
const RFC_3339 = /^[\d-]+T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;
const DATE_TIME = fullFormats["date-time"] as { validate(text: string): boolean };

/**
 * The validators of one part of requests, by operation. Parameters arrive as text and are coerced; bodies are what they
 * are. All wrong parts are reported at once (R-G1).
 */
function validatorsOf(coercion: { readonly coerceTypes?: true }, schemas: RequestSchemas[keyof RequestSchemas]) {
  // Checking the schemas themselves would cost a tenth of a second at each start; they are linted when they are bundled.
  // With `verbose` a mistake has its schema, and so the schema's own words.
  const ajv = new Ajv2020({ ...coercion, strict: false, validateSchema: false, verbose: true, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("date-time", isInstant);
  ajv.addSchema(schemas, "requests");
  return (operationId: string) => ajv.getSchema(`requests#/$defs/${operationId}`) as ValidateFunction;
}

const toContractOperation = ({
  operationId,
  method,
  path,
  cors,
  parameters,
  body,
  announced,
}: DescribedOperation): ContractOperation => {
  const inQuery = parameters.filter((one) => one.in === "query");
  const inAddress = parameters.filter((one) => one.in === "query" || one.in === "path");
  return {
    operationId,
    method,
    route: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    queryNames: new Set(inQuery.map(({ name }) => name)),
    integerNames: inAddress.filter(({ schema }) => schema.type === "integer").map(({ name }) => name),
    mediaTypes: Object.keys(body?.content ?? {}),
    bodyRequired: body?.required ?? false,
    cors,
    deprecation: deprecationHeaders(announced),
  };
};

const isSamePart = (one: InvalidPart, other: InvalidPart): boolean => one.in === other.in && one.name === other.name;

const PLACES: Readonly<Record<string, InvalidPart["in"]>> = {
  path: "path",
  query: "query",
  header: "header",
  requestBody: "body",
};

/** True for what breaks the contract perhaps only because it could not be read. */
function isUnread({ in: place, name }: InvalidPart, keyword: string, unread: ParsedRequest["unread"]): boolean {
  if (place === "body") return unread.body;
  return place === "query" && (unread.query.includes(name) || (keyword === "required" && unread.query.includes("")));
}

/** The values that an enum allows, as they are written. */
function oneOf(params: Readonly<Record<string, unknown>>): string {
  const values = (params.allowedValues as readonly unknown[]).map(String);
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

const A_TIME = "must be a time of RFC 3339 with its offset, without leap seconds, such as 2026-06-30T09:00:00Z";

/** What a time must be. A plus that was sent as it is has arrived in a query as a space: that is the usual mistake. */
const aTime = (inQuery: unknown): string =>
  typeof inQuery === "string" && /:\d\d(?:\.\d+)? \d\d:?\d\d$/.test(inQuery)
    ? `${A_TIME}; in a query its + is written %2B`
    : A_TIME;

function toInvalidPart(
  { instancePath, keyword, params, message, parentSchema }: ErrorObject,
  query: ParsedRequest["query"],
): InvalidPart {
  const [, place = "", ...rest] = instancePath.split("/");
  const where = PLACES[place] ?? "body";
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>;
  const member = (name: string): string => `/${[...rest, name].join("/")}`;
  if (keyword === "required" && missingProperty !== undefined)
    return { in: where, name: where === "body" ? member(missingProperty) : missingProperty, detail: "is missing" };
  if (where === "body" && keyword === "additionalProperties" && additionalProperty !== undefined)
    return isWord(additionalProperty)
      ? { in: "body", name: member(additionalProperty), detail: "is not known here" }
      : { in: "body", name: `/${rest.join("/")}`, detail: "has a member that is not known here" };
  const name = rest.join("/");
  if (where === "query" && keyword === "type" && Array.isArray(query[name]))
    return { in: where, name, detail: "is repeated" };
  if (keyword === "format" && params.format === "date-time")
    return { in: where, name: where === "body" ? `/${name}` : name, detail: aTime(where === "query" && query[name]) };
  const detail = inWords(keyword, params) ?? ofForm(keyword, parentSchema) ?? message ?? "is invalid";
  return { in: where, name: where === "body" ? `/${name}` : name, detail };
}

/** The words that the contract has beside a pattern which is not an id's (`x-form` of the schema). */
const ofForm = (keyword: string, schema: ErrorObject["parentSchema"]): string | undefined =>
  keyword === "pattern" && schema?.["x-form"] !== undefined ? `must be ${schema["x-form"]}` : undefined;

/** A type of JSON Schema. */
const withArticle = (type: unknown): string =>
  type === "null" ? "null" : `${/^[aio]/.test(String(type)) ? "an" : "a"} ${type}`;

/** What the validator counts, by the end of its keywords' names. */
const COUNTED: Readonly<Record<string, string>> = { Length: "character", Items: "item", Properties: "member" };

/** Of ids, counts, bounds and types, for which the validator's sentence has patterns, signs and "must NOT"; nothing of others (R-G1, R-G13). */
function inWords(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === "enum") return `must be ${oneOf(params)}`;
  if (keyword === "type") return `must be ${[params.type].flat().map(withArticle).join(" or ")}`;
  if (keyword === "pattern") return idPatternViolation(String(params.pattern));
  if (keyword === "minimum" || keyword === "maximum")
    return `must be ${params.limit} or ${keyword === "minimum" ? "more" : "less"}`;
  const [, bound, what = ""] = /^(min|max)([A-Z][a-z]+)$/.exec(keyword) ?? [];
  const noun = COUNTED[what];
  if (noun === undefined) return undefined;
  return `must have at ${bound === "min" ? "least" : "most"} ${counted(Number(params.limit), noun)}`;
}
