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
