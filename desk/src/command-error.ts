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

interface CommandErrorOptions {
  readonly fix?: string;
  readonly exitCode?: ExitCode;
  /** The gateway's own word for what it refused: the `code` of its problem. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** Ends a command: what is wrong, and what to do about it. In the cure `<command>` is how the program was started. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  readonly fix: string | undefined;
  readonly reason: string | undefined;

  constructor(message: string, { fix, exitCode = EXIT.usage, reason, cause }: CommandErrorOptions = {}) {
    super(message, { cause });
    this.fix = fix;
    this.exitCode = exitCode;
    this.reason = reason;
  }

  /** The same error, with how the program was started in the place of `<command>`. */
  startedAs(command: string): CommandError {
    const { message, exitCode, reason, cause } = this;
    const fix = this.fix?.replaceAll("<command>", () => command);
    return new CommandError(message, {
      exitCode,
      cause,
      ...(fix !== undefined && { fix }),
      ...(reason !== undefined && { reason }),
    });
  }
}

const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: "OK",
  [EXIT.refused]: "REFUSED",
  [EXIT.usage]: "USAGE",
  [EXIT.notReachable]: "UNAVAILABLE",
};

/** The error as `--json` prints it on standard error, in the form that every command of `gatehouse` has. */
export const errorDocument = ({ exitCode, reason, message, fix }: CommandError) => ({
  error: {
    code: CODES[exitCode],
    reason: reason ?? CODES[exitCode].toLowerCase(),
    message,
    fix: fix ?? null,
    violations: [],
  },
});
