/** Exit codes; the same as those of `gatehouse`. */
export const EXIT = {
  ok: 0,
  /** A check failed, or Gatehouse refused. */
  refused: 1,
  /** The arguments are wrong. */
  usage: 2,
  /** No answer. */
  notReachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command: what is wrong, and what to do about it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  readonly fix: string | undefined;

  constructor(
    message: string,
    options: { readonly fix?: string; readonly exitCode?: ExitCode; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.fix = options.fix;
    this.exitCode = options.exitCode ?? EXIT.usage;
  }
}
