import fc from "fast-check";
import { contract, type Node, operationsOf, resolve } from "../contract/contracts.ts";

/** A request as it is sent: header values are bytes, one character each. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What there is on the other side, so that some of the requests get far. */
export interface Known {
  /** Good keys; the ids are mostly those of the first. */
  readonly goodKeys: readonly [string, ...string[]];
  /** Some that once were good or never were. */
  readonly badKeys: readonly string[];
  /** Ids that can be put in a path, by the name of the parameter. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Entity tags and cursors that answers gave. */
  readonly tags: readonly string[];
  readonly cursors: readonly string[];
}

const DOCUMENT = contract("gateway");
/** The reads: what integrations do about their own webhooks has bodies, and a test of its own. */
const OPERATIONS = operationsOf(DOCUMENT).filter(({ path }) => !path.startsWith("/v1/webhooks/"));

/** Texts that have broken a program somewhere. */
const HOSTILE = [
  "",
  " ",
  "\t",
  "%",
  "%00",
  "%0d%0aset-cookie:x=1",
  "%ED%A0%80",
  "%C0%AF",
  "%E0%A4%A",
  "%".repeat(200),
  "..",
  "../../etc/passwd",
  "..%2f..%2f",
  "'",
  "' or 1=1--",
  '"',
  "\\",
  "<script>",
  "{{7*7}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant for programs that would fill it in.
  "${jndi:ldap://x}",
  "__proto__",
  "constructor",
  "[object Object]",
  "null",
  "undefined",
  "NaN",
  "-1",
  "0",
  "1e309",
  "9007199254740993",
  "💥".repeat(20),
  "\u202e",
  "\ufeff",
  "a".repeat(250),
  "W/",
  '""',
  "*",
  "*, *",
  '"a", "b"',
  ",",
  ",".repeat(500),
] as const;

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."%0123456789abcdefABCDEF"), maxLength: 30 }),
);

/** As a request line may contain it: no space, no control character, nothing beyond ASCII; those go as UTF-8 in percent-encoding. */
const inTarget = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f && !'#?"<>'.includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");

/** As a header may contain it: anything but line ends, as bytes. */
const inHeader = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[\r\n]/g, " ");

/** Now and then with some characters changed, left out, doubled. */
const altered = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.nat(), fc.constantFrom("keep", "keep", "keep", "drop", "double", "swap", "cut"))
    .map(([text, at, how]) => {
      const index = text.length === 0 ? 0 : at % text.length;
      const [before, after] = [text.slice(0, index), text.slice(index)];
      if (how === "drop") return before + after.slice(1);
      if (how === "double") return before + after.slice(0, 1) + after;
      if (how === "swap") return `${before}A${after.slice(1)}`;
      return how === "cut" ? before : text;
    });

/** Values that keep the schema, values near its bounds, and others. */
function valuesOf(schema: Node): fc.Arbitrary<string> {
  if (schema.type === "integer") {
    const [minimum, maximum] = [Number(schema.minimum ?? 0), Number(schema.maximum ?? 1_000)];
    const near = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1].map(String);
    const spelt = ["+1", "1.0", "1e1", " 1", "1 ", "01", "0x1", "٣"];
    return fc.oneof(
      fc.integer({ min: minimum, max: maximum }).map(String),
      fc.constantFrom(...near, ...spelt),
      hostile,
    );
  }
  const [, prefix] = /^\^([a-z]+_)/.exec(String(schema.pattern ?? "")) ?? [];
  const own =
    prefix === undefined
      ? fc.string({ maxLength: 600, size: "max" })
      : fc.string({ unit: fc.constantFrom(..."AZaz09+/"), minLength: 20, maxLength: 22 }).map((text) => prefix + text);
  return fc.oneof(own, hostile);
}

const parameterOf = (parameter: Node): { name: string; in: string; schema: Node } => ({
  name: String(parameter.name),
  in: String(parameter.in),
  schema: resolve(DOCUMENT, parameter.schema),
});

const UNKNOWN_NAMES = ["x", "limit[]", "cursor[a]", "__proto__", "constructor", "toString", "api_key", "x-api-key", ""];
const OTHER_HEADERS = [
  ...[
    "x-request-id",
    "traceparent",
    "tracestate",
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cookie",
  ],
  ...[
    "content-type",
    "forwarded",
    "host-override",
    "if-match",
    "if-modified-since",
    "if-range",
    "origin",
    "range",
    "referer",
  ],
  ...[
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-http-method-override",
    "x-api-key-lookup",
    "x-api-key-digest",
  ],
  ...["gatehouse-reason", "grpc-timeout", "te", "user-agent", "x", "__proto__"],
] as const;
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "accept-encoding": ["gzip", "br", "zstd", "deflate", "identity;q=0, *;q=0", "gzip;q=1.5", "*", "gzip, br;q=0.5"],
    accept: ["application/json", "text/html", "*/*", "application/problem+json;q=0", ";;;"],
    traceparent: [
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    ],
    range: ["bytes=0-10", "bytes=-1", "bytes=9-0"],
  }),
);

/** Requests to the gateway, made from the schemas of its parameters: some good, most not. */
export function gatewayRequests(known: Known): fc.Arbitrary<FuzzRequest> {
  const key = fc.oneof(
    { weight: 10, arbitrary: fc.constant(known.goodKeys[0]) },
    { weight: 2, arbitrary: fc.constantFrom(...known.goodKeys, ...known.badKeys) },
    { weight: 1, arbitrary: altered(fc.constantFrom(...known.goodKeys)) },
    { weight: 1, arbitrary: hostile },
  );
  const ids = (name: string, schema: Node) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...(known.ids[name] ?? [""])) },
      { weight: 1, arbitrary: altered(fc.constantFrom(...(known.ids[name] ?? [""]))) },
      { weight: 1, arbitrary: valuesOf(schema) },
    );
  const query = (name: string, schema: Node) =>
    name === "cursor" && known.cursors.length > 0
      ? fc.oneof(altered(fc.constantFrom(...known.cursors)), valuesOf(schema))
      : valuesOf(schema);
  const header = (name: string) =>
    fc.oneof(fc.constantFrom(...(USUAL.get(name) ?? [""])), hostile).map((value) => [name, inHeader(value)] as const);
  const tags = known.tags.length > 0 ? fc.oneof(altered(fc.constantFrom(...known.tags)), hostile) : hostile;
  const condition = fc
    .tuple(fc.constantFrom("if-none-match", "if-match"), fc.array(tags, { minLength: 1, maxLength: 3 }))
    .map(([name, all]) => [name, inHeader(all.join(", "))] as const);

  return fc.constantFrom(...OPERATIONS).chain(({ path, parameters }) => {
    const declared = parameters.map(parameterOf);
    const inPath = declared.filter((parameter) => parameter.in === "path");
    const inQuery = declared.filter((parameter) => parameter.in === "query");
    const names = fc.oneof(fc.constantFrom(...UNKNOWN_NAMES, ...inQuery.map(({ name }) => name)), hostile);
    const one = fc.oneof(
      ...inQuery.map(({ name, schema }) => query(name, schema).map((value) => `${name}=${inTarget(value)}`)),
      fc.tuple(names, hostile).map(([name, value]) => `${inTarget(name)}=${inTarget(value)}`),
      hostile.map(inTarget),
    );
    return fc
      .record({
        method: fc.oneof(
          { weight: 12, arbitrary: fc.constant("GET") },
          { weight: 2, arbitrary: fc.constantFrom("HEAD", "OPTIONS") },
          { weight: 1, arbitrary: fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "BREW") },
        ),
        filled: fc.tuple(...inPath.map(({ name, schema }) => ids(name, schema))),
        spelling: fc.oneof({ weight: 15, arbitrary: fc.constant("") }, { weight: 1, arbitrary: hostile }),
        queries: fc.oneof(
          { weight: 2, arbitrary: fc.constant([] as string[]) },
          { weight: 2, arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }) },
          {
            weight: 1,
            arbitrary: fc
              .tuple(one, fc.nat({ max: 300 }))
              .map(([pair, count]) => Array.from({ length: count }, () => pair)),
          },
        ),
        keys: fc.oneof(
          { weight: 14, arbitrary: fc.tuple(key) },
          { weight: 1, arbitrary: fc.array(key, { maxLength: 2 }) },
        ),
        conditions: fc.array(condition, { maxLength: 1 }),
        others: fc.array(fc.constantFrom(...OTHER_HEADERS).chain(header), { maxLength: 4 }),
        body: fc.oneof({ weight: 25, arbitrary: fc.constant("") }, { weight: 1, arbitrary: hostile.map(inHeader) }),
      })
      .map(({ method, filled, spelling, queries, keys, conditions, others, body }) => {
        const values = [...(filled as readonly string[])];
        const address = path.replaceAll(/\{\w+\}/g, () => inTarget(values.shift() ?? "")) + inTarget(spelling);
        return {
          method,
          target: queries.length === 0 ? address : `${address}?${queries.join("&")}`,
          headers: [...keys.map((value) => ["x-api-key", inHeader(value)] as const), ...conditions, ...others],
          body,
        };
      });
  });
}

/** The bytes of a request. */
export function toBytes({ method, target, headers, body }: FuzzRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "host: gateway",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== "") lines.push(`content-length: ${body.length}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1");
}
