/** How the command line ends; documented in `gatehouse --help`. */
export const EXIT = {
  ok: 0,
  /** Gatehouse answered, and said no. */
  refused: 1,
  /** The words or flags were wrong; nothing was asked. */
  usage: 2,
  /** Nobody answered, or not in time; trying again later may help. */
  notReachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What `--json` shows of a refusal, on standard error. */
export interface RefusalJson {
  /** A gRPC status, or `USAGE`. */
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly fix: string | null;
  readonly violations: readonly { readonly flag: string; readonly reason: string }[];
}

/** The end of a command that did not do what it was asked: one or two lines for people, the same for programs, an exit code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: ExitCode;
  /** Cause, then fix. */
  readonly lines: readonly string[];
  readonly json: RefusalJson;

  constructor(
    exitCode: ExitCode,
    lines: readonly string[],
    json: RefusalJson,
    options: { readonly cause?: unknown } = {},
  ) {
    super(lines.join("\n"), { cause: options.cause });
    this.exitCode = exitCode;
    this.lines = lines;
    this.json = json;
  }
}

/** A refusal that this program decides itself. */
export const refuse = (
  exitCode: ExitCode,
  given: { readonly code: string; readonly reason: string; readonly message: string; readonly fix?: string },
): Refusal => {
  const { code, reason, message, fix } = given;
  const lines = fix === undefined ? [message] : [message, fix];
  return new Refusal(exitCode, lines, { code, reason, message, fix: fix ?? null, violations: [] });
};
