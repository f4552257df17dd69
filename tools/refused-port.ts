interface RefusedPort {
  /** Whose port it is, at the beginning of a sentence. */
  readonly who: string;
  readonly host: string;
  readonly port: number;
  /** The command that takes another port. */
  readonly cure: string;
}

/** Why a program of ours cannot listen at a port, and what gives it another. */
export function refusedPort(error: unknown, { who, host, port, cure }: RefusedPort): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason =
    code === "EADDRINUSE"
      ? `Port ${port} on ${host} is taken by another program.`
      : `${who} cannot listen on port ${port}: ${message}.`;
  return `${reason} Another one: ${cure}`;
}
