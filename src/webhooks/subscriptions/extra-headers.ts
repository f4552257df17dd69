import type { FieldViolation } from "#runtime/basis/errors.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";

/** A header that deliveries of a subscription have besides ours; its name is in lower case. */
export interface ExtraHeader {
  readonly name: string;
  readonly value: string;
}

/** An extra header as a request has it: without a value, the present one stays. */
export interface WantedHeader {
  readonly name: string;
  readonly value?: string | null | undefined;
}

/** What is shown instead of a value, whatever its length. */
export const MASKED_VALUE = "********";

const HEADERS_MAX = 10;
/** No underscore and no other sign: many receivers read `webhook_id` as `webhook-id`, as CGI does (RFC 3875 §4.1.18). */
const NAME = /^[0-9a-z-]{1,64}$/i;
/** Visible ASCII, and spaces between: no line break, NUL or other control character (S46). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** Ours, those of the connection, and those by which a receiver could be made to read another request. */
const RESERVED: ReadonlySet<string> = new Set([
  ...["accept-encoding", "content-encoding", "content-length", "content-type", "date", "host", "user-agent"],
  ...["connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "via"],
  ...["forwarded", "http2-settings", "x-real-ip"],
]);
const RESERVED_BEGINNINGS = ["webhook-", "proxy-", "x-forwarded-"] as const;

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning));

/** What is wrong with the headers of a request; `present` are the names that have a value already (R-X272). */
export function headerViolations(headers: readonly WantedHeader[], present: readonly string[]): FieldViolation[] {
  if (headers.length > HEADERS_MAX) return [{ field: "extra_headers", reason: `must be at most ${HEADERS_MAX}` }];
  const seen = new Set<string>();
  return headers.flatMap(({ name: given, value }, index) => {
    const name = given.toLowerCase();
    const wrong = nameProblem(name) ?? (seen.has(name) ? "must not be repeated" : undefined);
    seen.add(name);
    if (wrong !== undefined) return [{ field: `extra_headers[${index}].name`, reason: wrong }];
    const problem = valueProblem(value, present.includes(name));
    return problem === undefined ? [] : [{ field: `extra_headers[${index}].value`, reason: problem }];
  });
}

function nameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return "must be the name of a header: 1 to 64 letters, digits and hyphens";
  return isReserved(name) ? "must not be a header of the connection, or one that every delivery has" : undefined;
}

function valueProblem(value: string | null | undefined, isPresent: boolean): string | undefined {
  if (value === null || value === undefined) return isPresent ? undefined : "must be there for a new header";
  return VALUE.test(value)
    ? undefined
    : "must be 1 to 1024 characters of visible ASCII, with spaces at most between them, and no line break";
}

/** The wanted headers with their values; those without one keep the present one. */
export const mergedHeaders = (wanted: readonly WantedHeader[], present: readonly ExtraHeader[]): ExtraHeader[] =>
  wanted.map(({ name: given, value }) => {
    const name = given.toLowerCase();
    return { name, value: value ?? present.find((header) => header.name === name)?.value ?? "" };
  });

/** As they are sealed. */
export const headersToBytes = (headers: readonly ExtraHeader[]): Buffer => Buffer.from(JSON.stringify(headers));

/** As they were before `headersToBytes`. */
export const headersOfBytes = (bytes: Buffer): readonly ExtraHeader[] => JSON.parse(bytes.toString("utf8"));

/** Names the row that sealed headers are bound to. */
export const extraHeadersRow = (subscriptionId: SubscriptionId | string): SealedRow =>
  `webhooks_extra_headers/${subscriptionId}`;
