/** How an operation of a contract announces its end; dates are RFC 3339, with `deprecated: true`. */
interface Announced {
  readonly operationId?: string;
  readonly deprecated?: boolean;
  /** Date of the deprecation; without it nothing is announced. */
  readonly "x-deprecated-at"?: string;
  /** Address of a page about it. */
  readonly "x-deprecation-page"?: string;
  /** Date from which it may be removed. */
  readonly "x-sunset-at"?: string;
  readonly "x-sunset-page"?: string;
}

/**
 * The header fields that announce an operation's end in each of its answers: `Deprecation` (RFC 9745), `Sunset` (RFC
 * 8594), and `Link` to the pages about both; `undefined` when no end is announced.
 * @throws Error, at start, when the contract has an invalid date, or a sunset before the deprecation (RFC 9745 §4).
 */
export function deprecationHeaders(operation: object): Readonly<Record<string, string>> | undefined {
  const { operationId = "", deprecated, ...announced } = operation as Announced;
  const deprecatedAt = instant(operationId, announced["x-deprecated-at"]);
  const sunsetAt = instant(operationId, announced["x-sunset-at"]);
  if (deprecated !== true || deprecatedAt === undefined) {
    if (deprecatedAt !== undefined || sunsetAt !== undefined)
      throw new Error(`${operationId} has a date of its end, and is not deprecated: true with x-deprecated-at.`);
    return undefined;
  }
  if (sunsetAt !== undefined && sunsetAt < deprecatedAt)
    throw new Error(`${operationId} ends before it is deprecated.`);
  const links = [
    ...linkTo(announced["x-deprecation-page"], "deprecation"),
    ...(sunsetAt === undefined ? [] : linkTo(announced["x-sunset-page"], "sunset")),
  ];
  return {
    Deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
    ...(sunsetAt !== undefined && { Sunset: sunsetAt.toUTCString() }),
    ...(links.length > 0 && { Link: links.join(", ") }),
  };
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function instant(operationId: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!RFC_3339.test(text) || Number.isNaN(at.getTime()))
    throw new Error(`${operationId}: ${text} is no RFC 3339 date and time.`);
  return at;
}

const linkTo = (page: string | undefined, relation: string): string[] =>
  page === undefined ? [] : [`<${page}>; rel="${relation}"; type="text/html"`];

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** The headers of an answer with those of the operation's end; a `Link` of the answer's own stays, in the same field. */
export function withDeprecation(headers: Headers = {}, announced: Readonly<Record<string, string>>): Headers {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === "link");
  const { Link, ...rest } = announced;
  if (own === undefined || Link === undefined) return { ...headers, ...announced };
  return { ...headers, ...rest, [own[0]]: [own[1], Link].flat().join(", ") };
}
