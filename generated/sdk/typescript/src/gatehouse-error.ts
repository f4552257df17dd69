import { type ApiResponse, type InitOverrideFunction, RequiredError } from "./runtime.js";

/** One part of a request that the gateway refused. */
export interface Violation {
  /** `path`, `query`, `header` or `body`. */
  readonly location: string;
  /** Name of the parameter, or JSON pointer into the body. */
  readonly name: string;
  readonly message: string;
}

/** The codes of errors that the SDK itself reports; all others come from Gatehouse. */
export type LocalCode =
  | "invalid_argument"
  | "no_answer"
  | "deadline_exceeded"
  | "cancelled"
  | "not_modified"
  | "unexpected_answer";

export interface ErrorContent {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly title?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly violations?: readonly Violation[];
  readonly error?: string | undefined;
  readonly errorDescription?: string | undefined;
}

/** The one error of this package: every call that does not succeed throws it. Only `verifyEvent` has another, `EventRefused`. */
export class GatehouseError extends Error {
  override readonly name = "GatehouseError";
  /** The HTTP status; 0 when there is no answer. */
  readonly status: number;
  /** A stable word for programs: `client_not_found`, `too_many_requests`, `no_answer`, … */
  readonly code: string;
  /** The kind of error, the same for every occurrence. */
  readonly title: string | undefined;
  /** A sentence about this occurrence. */
  readonly detail: string;
  /** Give it to the operator: it identifies the request in Gatehouse's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, when the answer named a time. */
  readonly retryAfter: number | undefined;
  /** On 400 of the gateway: each part of the request that was refused. */
  readonly violations: readonly Violation[];
  /** The error code of an OAuth endpoint (RFC 6749 §5.2); the same as `code`. */
  readonly error: string | undefined;
  /** The sentence of an OAuth endpoint; the same as `detail`. */
  readonly errorDescription: string | undefined;

  constructor(content: ErrorContent, options?: { readonly cause?: unknown }) {
    const { status, code, detail, requestId } = content;
    const said = `${status === 0 ? "" : `${status} `}${code}: ${detail}`;
    super(requestId === undefined ? said : `${said} (request ${requestId})`, options);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.title = content.title;
    this.requestId = requestId;
    this.retryAfter = content.retryAfter;
    this.violations = content.violations ?? [];
    this.error = content.error;
    this.errorDescription = content.errorDescription;
  }
}

/** An error that no answer of Gatehouse states. */
export const localError = (code: LocalCode, detail: string, cause?: unknown): GatehouseError =>
  new GatehouseError({ status: 0, code, detail }, cause === undefined ? undefined : { cause });

export const cancelled = ({ reason }: AbortSignal): GatehouseError =>
  localError("cancelled", "The caller has cancelled the call.", reason);

/** For an answer that the contract does not have. */
export function unexpectedAnswer(
  { status, headers }: Pick<Response, "status" | "headers">,
  detail: string,
  options?: { readonly cause: unknown },
): GatehouseError {
  const requestId = headers.get("x-request-id") ?? undefined;
  return new GatehouseError({ status, code: "unexpected_answer", detail, requestId }, options);
}

/** The error that an answer other than success states; `unexpected_answer` when the contract has no such answer. */
export async function errorOf(response: Response): Promise<GatehouseError> {
  const { status, headers } = response;
  const requestId = headers.get("x-request-id") ?? undefined;
  const known = { status, requestId, retryAfter: retryAfterOf(headers) };
  if (status === 304)
    return new GatehouseError({ ...known, code: "not_modified", detail: "Nothing has changed since your copy." });
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const body = await jsonOf(response);
  if (type === "application/problem+json" && isText(body?.code)) return problemError(body.code, body, known);
  if (type === "application/json" && isText(body?.error)) return oauthError(body.error, body, known);
  const detail = `The answer is none of Gatehouse's: status ${status}, ${type ?? "no media type"}.`;
  return new GatehouseError({ ...known, code: "unexpected_answer", detail });
}

type Known = Pick<ErrorContent, "status" | "requestId" | "retryAfter">;

/** Members of other forms, which servers on the way to Gatehouse may send, are left out. */
function problemError(code: string, { title, detail, errors }: Body, known: Known): GatehouseError {
  const violations = (Array.isArray(errors) ? errors : [])
    .filter(isObject)
    .map(({ in: location, name, detail: message }) => ({
      location: textOf(location),
      name: textOf(name),
      message: textOf(message),
    }));
  const kind = isText(title) ? title : undefined;
  return new GatehouseError({
    ...known,
    code,
    title: kind,
    detail: isText(detail) ? detail : (kind ?? ""),
    violations,
  });
}

function oauthError(error: string, { error_description }: Body, known: Known): GatehouseError {
  const errorDescription = textOf(error_description);
  return new GatehouseError({ ...known, code: error, detail: errorDescription, error, errorDescription });
}

type Body = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === "string";
const textOf = (value: unknown): string => (isText(value) ? value : "");
const isObject = (value: unknown): value is Body => typeof value === "object" && value !== null;

async function jsonOf(response: Response): Promise<Body | undefined> {
  try {
    const body: unknown = await response.clone().json();
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const WHOLE_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<time>\\d{2}:\\d{2}:\\d{2})";
const YEAR = "(?<year>[1-9]\\d{3})";
/** The three forms of a date (RFC 9110 §5.6.7), read by its parts: what a platform takes for a date differs. */
const HTTP_DATES = [
  `${DAY}, (?<day>\\d{2}) ${MONTH} ${YEAR} ${TIME} GMT`,
  `${WHOLE_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} ${YEAR}`,
].map((form) => new RegExp(`^${form}$`));
/** A longer time is taken for this one (RFC 9111 §1.2.2). */
const RETRY_AFTER_MAX = 2 ** 31;

/** Seconds until the time that `Retry-After` names, as a number of seconds or as a date (RFC 9110 §10.2.3); 2^31 at most. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Math.min(Number(value), RETRY_AFTER_MAX);
  const at = HTTP_DATES.map((form) => form.exec(value)?.groups).find((parts) => parts !== undefined);
  const atMs = at === undefined ? undefined : instantOf(at);
  return atMs === undefined ? undefined : Math.min(Math.max(0, (atMs - Date.now()) / 1000), RETRY_AFTER_MAX);
}

/** Undefined for a date that no calendar has, such as 30 February, which `Date` would take for one in March. */
function instantOf({ year = "", month = "", day = "", time }: Readonly<Record<string, string>>): number | undefined {
  const written = [wholeYear(year), MONTHS.indexOf(month) + 1, Number(day)];
  const iso = `${written.map((part) => String(part).padStart(2, "0")).join("-")}T${time}.000Z`;
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) || at.toISOString() !== iso ? undefined : at.getTime();
}

/** Of two digits, the year that is at most fifty years ahead. */
function wholeYear(digits: string): number {
  const earliest = new Date().getUTCFullYear() - 49;
  return digits.length > 2 ? Number(digits) : earliest + ((((Number(digits) - earliest) % 100) + 100) % 100);
}

/** What a call threw, as the one error of this package. Without an answer the request could not be made of the arguments. */
export function asGatehouseError(thrown: unknown, answer?: Response): GatehouseError {
  if (thrown instanceof GatehouseError) return thrown;
  if (thrown instanceof RequiredError) return localError("invalid_argument", `${thrown.field} is missing.`, thrown);
  if (answer === undefined) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return localError("invalid_argument", `No request can be made of these arguments: ${reason}.`, thrown);
  }
  const detail = "The answer of Gatehouse cannot be read: it is not the JSON that the contract describes.";
  return unexpectedAnswer(answer, detail, { cause: thrown });
}

type Init = RequestInit | InitOverrideFunction | undefined;
type Request = (context: unknown, init: Init) => Promise<Response>;

/** The generated code would send a caller's headers in place of its own, the API key among them. */
function withAllHeaders(init: Init): Init {
  if (typeof init !== "object" || !("headers" in init)) return init;
  return async ({ init: own }) => ({ ...init, headers: merged(own.headers, init.headers) });
}

type GivenHeaders = ConstructorParameters<typeof Headers>[0];

/** The first headers, and in place of those with the same names the second ones. */
export function merged(first: GivenHeaders, second: GivenHeaders): Headers {
  const headers = new Headers(first);
  new Headers(second).forEach((value, name) => {
    headers.set(name, value);
  });
  return headers;
}

/** The same API whose calls throw a `GatehouseError` only, also when the body of an answer is read later. */
export const withOneError = <Api extends object>(api: Api): Api =>
  new Proxy(api, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...values: readonly unknown[]) => {
        let answer: Response | undefined;
        const failed = (thrown: unknown): never => {
          throw asGatehouseError(thrown, answer);
        };
        const send: Request = (target as unknown as { readonly request: Request }).request.bind(target);
        // The generated code of an operation sends by `this.request`.
        const request: Request = async (context, init) => {
          answer = await send(context, withAllHeaders(init));
          return answer;
        };
        const result: unknown = member.apply(Object.create(target, { request: { value: request } }), values);
        if (!(result instanceof Promise)) return result;
        const checked = (given: unknown) => (given === null ? failed(new TypeError("The answer is null.")) : given);
        return result.then(
          (given: unknown) => (isResponse(given) ? readable(given, checked, failed) : checked(given)),
          failed,
        );
      };
    },
  });

const isResponse = (value: unknown): value is ApiResponse<unknown> =>
  isObject(value) && value.raw instanceof Response && typeof value.value === "function";

const readable = (
  response: ApiResponse<unknown>,
  checked: (given: unknown) => unknown,
  failed: (thrown: unknown) => never,
): ApiResponse<unknown> => ({ raw: response.raw, value: () => response.value().then(checked, failed) });
