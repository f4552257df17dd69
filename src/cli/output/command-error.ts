import { type Advice, adviceText } from "./advice.ts";

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

/** An error as `--json` prints it on standard error. */
interface ErrorJson {
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
  /** What distinguishes it from the others. */
  readonly details: readonly string[];
}

/** Cause, then fix. */
type ErrorLines = readonly [cause: string, ...fix: Advice[]];

/** Ends a command that cannot be done: one or two lines for people, the same for programs, and an exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  readonly lines: ErrorLines;
  readonly json: ErrorJson;

  constructor(exitCode: ExitCode, lines: ErrorLines, json: ErrorJson, options: { readonly cause?: unknown } = {}) {
    super(lines.map(adviceText).join("\n"), { cause: options.cause });
    this.exitCode = exitCode;
    this.lines = lines;
    this.json = json;
  }
}

/** An error that this program finds itself. */
export const commandError = (
  exitCode: ExitCode,
  given: {
    readonly code: string;
    readonly reason: string;
    readonly message: string;
    readonly fix?: Advice | readonly Advice[];
  },
): CommandError => {
  const { code, reason, message } = given;
  const fix = given.fix === undefined ? [] : isList(given.fix) ? given.fix : [given.fix];
  const text = fix.length === 0 ? null : fix.map(adviceText).join("\n");
  return new CommandError(exitCode, [message, ...fix], { code, reason, message, fix: text, violations: [] });
};

const isList = (fix: Advice | readonly Advice[]): fix is readonly Advice[] => Array.isArray(fix);
