/** The gRPC status codes that we answer with; a failure has one of them on every carrier. */
export const FAILURE_CODES = [
  "CANCELLED",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "UNAUTHENTICATED",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

/** One wrong field of a refused request: its path in our own names, and the reason. */
export interface FieldViolation {
  readonly field: string;
  readonly reason: string;
  /** Other fields that the reason names. */
  readonly named?: readonly string[] | undefined;
}

/** Of a list's cursor that is foreign, altered or of another form. */
export const WRONG_CURSOR: FieldViolation = {
  field: "cursor",
  reason: "must be a next_cursor that this list returned",
  named: ["next_cursor"],
};

export interface FailureOptions {
  /** For logs only; never leaves the process that decided. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense; absent when none does. */
  readonly retryAfterSeconds?: number | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  /** Fields that the sentence names: a caller may know them by other names, as the command line by flags. */
  readonly named?: readonly string[] | undefined;
  /** Name of the check that refused, for logs and `gatehouse explain`. */
  readonly check?: string | undefined;
}

/**
 * A failure with two audiences: code, reason and sentence are public and cross process boundaries; detail and cause stay in the log of
 * the process that decided.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  /** The kind of failure as a word for programs, for example `tenant_not_found` or `invalid_grant`. */
  readonly reason: string;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly violations: readonly FieldViolation[];
  /** Of the sentence and of the violations' reasons. */
  readonly named: readonly string[];
  /** Private like the detail. */
  readonly check: string | undefined;

  constructor(code: FailureCode, reason: string, sentence: string, options: FailureOptions = {}) {
    super(sentence, { cause: options.cause });
    this.code = code;
    this.reason = reason;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.violations = options.violations ?? [];
    this.named = options.named ?? [];
    this.check = options.check;
  }

  /** A copy of this failure with the name of the check that refused. */
  checked(check: string): Failure {
    const { code, reason, message, detail, cause, retryAfterSeconds, violations, named, stack } = this;
    const failure = new Failure(code, reason, message, { detail, cause, retryAfterSeconds, violations, named, check });
    if (stack !== undefined) failure.stack = stack;
    return failure;
  }
}

export const notFound = (reason: string, sentence: string, options?: FailureOptions) =>
  new Failure("NOT_FOUND", reason, sentence, options);

export const alreadyExists = (reason: string, sentence: string, options?: FailureOptions) =>
  new Failure("ALREADY_EXISTS", reason, sentence, options);

export const failedPrecondition = (reason: string, sentence: string, options?: FailureOptions) =>
  new Failure("FAILED_PRECONDITION", reason, sentence, options);

/** After what is unavailable for a moment. */
export const UNAVAILABLE_RETRY_SECONDS = 2;

export const unavailable = (sentence: string, options?: FailureOptions) =>
  new Failure("UNAVAILABLE", "unavailable", sentence, { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS, ...options });

/**
 * Most wrong fields listed in one refusal, and most characters of them: they travel in trailers, of which clients in Java
 * and Python take 8 KiB unless they are set otherwise.
 */
const VIOLATIONS_MAX = 50;
const VIOLATIONS_LENGTH_MAX = 2_000;

/** The first ones that there is room for; one at least. */
function listedOf(all: readonly FieldViolation[]): readonly FieldViolation[] {
  let length = 0;
  const listed = all.slice(0, VIOLATIONS_MAX);
  const end = listed.findIndex(({ field, reason }, index) => {
    length += field.length + reason.length;
    return index > 0 && length > VIOLATIONS_LENGTH_MAX;
  });
  return end === -1 ? listed : listed.slice(0, end);
}

/** Refuses a request whose fields are wrong; the sentence names them, at most fifty, and says how many more there are. */
export function invalidArgument(all: readonly FieldViolation[]): Failure {
  const listed = listedOf(all);
  const violations = listed.map(({ field, reason }) => ({ field, reason }));
  const named = [...new Set(listed.flatMap((violation) => violation.named ?? []))];
  const more = all.length > violations.length ? [`and ${all.length - violations.length} more`] : [];
  const sentence = [...violations.map(({ field, reason }) => `${field} ${reason}`), ...more].join("; ");
  return new Failure("INVALID_ARGUMENT", "invalid_argument", `${sentence}.`, { violations, named });
}

/**
 * The public part of any throwable: a failure without its private half, everything else as INTERNAL "Internal error".
 * Always a new object, so that nothing of one request can reach another (S55).
 */
export function publicFailure(error: unknown): Failure {
  if (!(error instanceof Failure)) return new Failure("INTERNAL", "internal", "Internal error");
  const { code, reason, message, retryAfterSeconds, violations, named } = error;
  return withoutStack(() => new Failure(code, reason, message, { retryAfterSeconds, violations, named }));
}

/** Taking down the stack is a tenth of what a refused request costs, and nobody sees that of a copy. */
function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** True for failures of this server, which are logged as errors; all others are ordinary answers. */
export function isFault(error: unknown): boolean {
  return !(error instanceof Failure) || error.code === "INTERNAL";
}

/** True where the store or another process is away: what failed can be tried again. */
export const isUnavailable = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === "UNAVAILABLE";

/** A mistake that ends the program at start: one line with what is wrong and how to fix it. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
  /**
   * 65 for a store or a backup that this program cannot use (EX_DATAERR of sysexits.h), 78 for configuration (EX_CONFIG):
   * neither is cured by another start. 1 otherwise (R-X417).
   */
  readonly exitCode: 1 | 65 | 78;
  /** The message without its command. */
  readonly sentence: string;
  /** What to run, with which the message ends; empty when it names no command. */
  readonly command: string;
  /** Names of the settings that are to be changed; empty when it is about none. */
  readonly settings: readonly string[];

  constructor(
    sentence: string,
    options: {
      readonly exitCode?: 1 | 65 | 78;
      readonly cause?: unknown;
      readonly command?: string;
      readonly settings?: readonly string[];
    } = {},
  ) {
    const { exitCode = 1, cause, command = "", settings = [] } = options;
    super(command === "" ? sentence : `${sentence} ${command}`, { cause });
    this.exitCode = exitCode;
    this.sentence = sentence;
    this.command = command;
    this.settings = settings;
  }
}
