import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { closed } from "../../tools/contracts/closed-schema.ts";

/** A request and its answer, as far as a contract speaks of them. */
export interface Exchange {
  readonly method: string;
  /** Path, or URL. */
  readonly url: string;
  readonly status: number;
  /** `Headers`, or anything else that answers by lower-case name; of one that can be listed, every header is judged. */
  readonly headers: { get(name: string): string | null } | Headers;
  /** The body's text; empty when there was none. */
  readonly text: string;
  /** The request was refused before an operation was chosen, though its path and method name one: two Host headers, for example. */
  readonly unrouted?: boolean | undefined;
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: AnySchema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly responses: { readonly Unrouted: unknown; readonly Unread?: unknown } };
  /** The answer to OPTIONS at every path, where there is one (R-X64). */
  readonly "x-options"?: { readonly $ref: string };
  /** The answer to OPTIONS at paths with `x-cors`. */
  readonly "x-preflight"?: { readonly $ref: string };
}

interface Operation {
  readonly contract: LoadedContract;
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly hasBody: boolean;
}

interface Route {
  readonly contract: LoadedContract;
  readonly template: string;
  readonly pattern: RegExp;
  /** By upper-case method. */
  readonly operations: ReadonlyMap<string, Operation>;
}

interface LoadedContract {
  readonly name: string;
  readonly document: OpenApiDocument;
}

/** Headers of messages and connections (RFC 9110, RFC 9112), and of the body's type, which `content` declares. */
const OF_HTTP = ["date", "connection", "keep-alive", "content-length", "content-type", "transfer-encoding"];
/** Orders to browsers, which every answer of a listener has, or every page (S9, R-X2). */
const FOR_BROWSERS = ["x-content-type-options", "x-frame-options", "referrer-policy", "strict-transport-security"];
const UNDECLARED: ReadonlySet<string> = new Set([...OF_HTTP, ...FOR_BROWSERS, "pragma"]);

/** Of the statuses of answers without an operation, those that say so by themselves (R-D7). */
const REFUSALS: ReadonlySet<number> = new Set([405, 408, 413, 415, 431]);
/** Of them, those about a body: an operation that takes one declares them itself. */
const OF_BODIES: ReadonlySet<number> = new Set([413, 415]);
const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const CONTRACTS = ["sign-on", "gateway", "portal"] as const;
const FOLDER = join(import.meta.dirname, "..", "..", "generated", "contracts");

const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** Follows `$ref` within one document. */
export function resolve(document: object, node: unknown): unknown {
  const reference = (node as { readonly $ref?: string } | undefined)?.$ref;
  return reference === undefined ? node : resolve(document, at(document, reference));
}

function at(document: object, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document);
}

function routesOf(contract: LoadedContract): readonly Route[] {
  return Object.entries(contract.document.paths).map(([template, item]) => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method] as
        | { readonly responses: Record<string, unknown>; readonly requestBody?: unknown }
        | undefined;
      if (operation === undefined) return [];
      const pointer = `/paths/${escapePointer(template)}/${method}/responses`;
      const hasBody = operation.requestBody !== undefined;
      return [[method.toUpperCase(), { contract, pointer, responses: operation.responses, hasBody }] as const];
    });
    const pattern = new RegExp(`^${template.replaceAll(/[.+]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return { contract, template, pattern, operations: new Map(operations) };
  });
}

/** Everything that the published contracts say about answers. Validators are compiled when they are first asked for. */
class PublishedContracts {
  readonly #contracts: Readonly<Record<string, LoadedContract>>;
  readonly #routes: readonly Route[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor() {
    addFormats.default(this.#ajv);
    const loaded = CONTRACTS.map((name) => {
      const document = closed(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"))) as OpenApiDocument;
      this.#ajv.addSchema(document as AnySchema, name);
      return { name, document };
    });
    this.#contracts = Object.fromEntries(loaded.map((contract) => [contract.name, contract]));
    // A path without parameters is meant before one with (OpenAPI 3.1, "Path Templating Matching").
    this.#routes = loaded
      .flatMap(routesOf)
      .toSorted((one, other) => one.template.split("{").length - other.template.split("{").length);
  }

  /** Where an answer departs from the contract; empty when it keeps it. */
  departures(exchange: Exchange): readonly string[] {
    const path = pathOf(exchange.url);
    const route = this.#routes.find(({ pattern }) => isDecodable(path) && pattern.test(path));
    const method = exchange.method.toUpperCase();
    const operation = route?.operations.get(method === "HEAD" ? "GET" : method);
    const declared = operation?.responses[String(exchange.status)];
    const pointer = `${operation?.pointer}/${exchange.status}`;
    if (operation !== undefined && declared !== undefined && exchange.unrouted !== true) {
      return this.#judge(exchange, operation.contract, pointer, declared);
    }
    const isRefusal = REFUSALS.has(exchange.status) && !(operation?.hasBody && OF_BODIES.has(exchange.status));
    if (operation !== undefined && exchange.unrouted !== true && !isRefusal) {
      const known = Object.keys(operation.responses).join(", ");
      return [`status ${exchange.status} is not declared; the operation declares ${known}`];
    }
    const options = route === undefined ? undefined : optionsOf(route);
    if (route !== undefined && options !== undefined && method === "OPTIONS" && exchange.status === 204) {
      return [...this.#judge(exchange, route.contract, options.$ref.slice(1), options), ...judgeAllow(exchange, route)];
    }
    return this.#judgeUnrouted(exchange, path, route);
  }

  #judgeUnrouted(exchange: Exchange, path: string, route: Route | undefined): readonly string[] {
    const { status } = exchange;
    const area = areaOf(path);
    const contract = this.#contracts[area];
    if (contract === undefined) return [`the contract ${area} is missing`];
    const { Unrouted, Unread } = contract.document.components.responses;
    const answers = (declared: unknown): boolean => {
      const { "x-statuses": statuses } = resolve(contract.document, declared) as { "x-statuses": readonly number[] };
      return statuses.includes(status);
    };
    if (!answers(Unrouted)) return [`status ${status} is no answer to a request without an operation`];
    // Answered before the path was known, and so in one form everywhere.
    const isProblem = exchange.headers.get("content-type")?.startsWith("application/problem+json") === true;
    if (Unread !== undefined && isProblem && answers(Unread))
      return this.#judge(exchange, contract, "/components/responses/Unread", Unread);
    return [
      ...this.#judge(exchange, contract, "/components/responses/Unrouted", Unrouted),
      ...(status === 405 ? judgeAllow(exchange, route) : []),
    ];
  }

  #judge(exchange: Exchange, contract: LoadedContract, pointer: string, declared: unknown): readonly string[] {
    const { document } = contract;
    const response = resolve(document, declared) as Response;
    const place = pointerOf(document, pointer);
    return [
      ...this.#judgeHeaders(exchange, contract, place, response),
      ...this.#judgeBody(exchange, contract, place, response),
    ];
  }

  #judgeHeaders({ headers }: Exchange, contract: LoadedContract, place: string, response: Response): readonly string[] {
    const declared = Object.entries(response.headers ?? {});
    const names = new Set(declared.map(([name]) => name.toLowerCase()));
    const came = "keys" in headers ? [...headers.keys()] : [];
    const isNamed = (name: string) => names.has(name) || UNDECLARED.has(name);
    const undeclared = came.filter((name) => !isNamed(name) && !(name === "set-cookie" && contract.name === "sign-on"));
    const departures = declared.flatMap(([name, node]) => {
      const header = resolve(contract.document, node) as { readonly required?: boolean; readonly schema: AnySchema };
      const value = headers.get(name.toLowerCase());
      if (value === null) return header.required === true ? [`the header ${name} is missing`] : [];
      const headerPlace = pointerOf(contract.document, `${place}/headers/${escapePointer(name)}`);
      return this.#violations(contract, `${headerPlace}/schema`, coerced(value, header.schema)).map(
        (text) => `header ${name}: ${text}`,
      );
    });
    return [...undeclared.map((name) => `the header ${name} is not declared`), ...departures];
  }

  #judgeBody(exchange: Exchange, contract: LoadedContract, place: string, response: Response): readonly string[] {
    const { method, status, headers, text } = exchange;
    if (response.content === undefined) return text === "" ? [] : ["there must be no body"];
    if (method.toUpperCase() === "HEAD") return text === "" ? [] : ["an answer to HEAD must have no body"];
    const contentType = headers.get("content-type");
    const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const parameters = contentType?.slice(mediaType.length).toLowerCase() ?? "";
    if (!(mediaType in response.content)) {
      return [
        `media type ${show(contentType)} is not declared for ${status}, which has ${Object.keys(response.content).join(", ")}`,
      ];
    }
    if (parameters !== "" && parameters !== "; charset=utf-8")
      return [`content-type has the parameters ${show(parameters)}`];
    if (mediaType !== "application/json" && !mediaType.endsWith("+json"))
      return text === "" ? ["the body is empty"] : [];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return [`the body is not JSON: ${text.slice(0, 200)}`];
    }
    const schemaPlace = `${place}/content/${escapePointer(mediaType)}/schema`;
    return [
      ...this.#violations(contract, schemaPlace, body).map((violation) => `body: ${violation}`),
      ...(mediaType === "application/problem+json" ? judgeProblem(exchange, body) : []),
    ];
  }

  #violations(contract: LoadedContract, pointer: string, value: unknown): readonly string[] {
    const reference = `${contract.name}#${pointer.split("/").map(encodeURIComponent).join("/")}`;
    const known = this.#validators.get(reference);
    const validate = known ?? this.#ajv.compile({ $ref: reference });
    if (known === undefined) this.#validators.set(reference, validate);
    return validate(value) ? [] : violationsOf(validate);
  }
}

/** The contract whose area owns the path. */
function areaOf(path: string): (typeof CONTRACTS)[number] {
  if (/^\/(auth|\.well-known)(\/|$)/.test(path)) return "sign-on";
  return /^\/v[12](\/|$)/.test(path) ? "gateway" : "portal";
}

/** What the contract says of OPTIONS at the path. */
const optionsOf = ({ contract: { document }, template }: Route) =>
  document.paths[template]?.["x-cors"] === undefined ? document["x-options"] : document["x-preflight"];

/** The methods of a path, each of them and no other (RFC 9110 §10.2.1). */
function judgeAllow({ headers }: Exchange, route: Route | undefined): readonly string[] {
  const offered = new Set(route?.operations.keys());
  if (offered.has("GET")) offered.add("HEAD");
  if (route !== undefined && optionsOf(route) !== undefined) offered.add("OPTIONS");
  const wanted = [...offered].sort().join(", ");
  const allow = headers.get("allow");
  return allow === wanted ? [] : [`allow must be "${wanted}" (RFC 9110 §10.2.1), is ${show(allow)}`];
}

/** What R-G1 says about a problem beyond its schema. */
function judgeProblem({ status, headers }: Exchange, body: unknown): readonly string[] {
  const problem = body as Readonly<Record<string, unknown>>;
  const rules: readonly (readonly [boolean, string])[] = [
    [problem.status === status, `status in the body is ${show(problem.status)}`],
    [problem.message === problem.detail, "message must equal detail"],
    [problem.requestId === headers.get("x-request-id"), "requestId must equal the x-request-id header"],
  ];
  return rules.filter(([kept]) => !kept).map(([, sentence]) => `problem: ${sentence} (R-G1)`);
}

/** Each failed rule of a validator's last run, as place, rule and what it wanted. */
export function violationsOf(validate: ValidateFunction): readonly string[] {
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath === "" ? "/" : instancePath} ${message ?? "is wrong"} ${JSON.stringify(params)}`,
  );
}

const show = (value: unknown): string => JSON.stringify(value) ?? "absent";

/** The pointer after following a `$ref` at its place. */
function pointerOf(document: object, pointer: string): string {
  const node = at(document, `#${pointer}`) as { readonly $ref?: string };
  return node.$ref === undefined ? pointer : pointerOf(document, node.$ref.slice(1));
}

function coerced(value: string, schema: AnySchema): string | number {
  const type = (schema as { readonly type?: string }).type;
  return (type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

const pathOf = (url: string): string =>
  (/^https?:\/\//.test(url) ? url.slice(url.indexOf("/", 8)) : url).split(/[?#]/, 1)[0] ?? "/";

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

let published: PublishedContracts | undefined;

/** Where an answer departs from the published contracts; empty when it keeps them. */
export function contractDepartures(exchange: Exchange): readonly string[] {
  published ??= new PublishedContracts();
  return published.departures(exchange);
}
