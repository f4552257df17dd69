/** Exit codes of the command line; documented in `gatehouse --help`. */
export const EXIT = {
  ok: 0,
  /** Gatehouse refused the request. */
  refused: 1,
  /** The arguments or flags were wrong, or a name is unknown or ambiguous; nothing was changed. */
  usage: 2,
  /** No answer, or none in time; a later retry may help. */
  notReachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A refusal as `--json` prints it on standard error. */
interface RefusalJson {
  /** A gRPC status, or `USAGE`. */
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly fix: string | null;
  readonly violations: readonly { readonly flag: string; readonly reason: string }[];
  /** What an ambiguous name may refer to. */
  readonly candidates?: readonly Candidate[];
}

/** One of several things that a name fits. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  /** What tells it apart from the others. */
  readonly details: readonly string[];
}

/** Ends a command without its work done: one or two lines for people, the same for programs, and an exit code. */
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
