import { MINUTE_MS } from "../basis/durations.ts";

/** How long a client may take, in milliseconds. */
export interface EdgeTimeouts {
  /** From the first byte of a request to its last. */
  readonly requestMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** The same on a connection of a trusted proxy, which ends it by a time of its own (R-X431). */
  readonly proxyKeepAliveMs: number;
  /** How often the timeouts are checked. */
  readonly checkEveryMs: number;
  /** For each part of a body that is made while it is sent, some 100 KiB (R-X61), and without taking anything of an answer. */
  readonly takeMs: number;
  /** For the rest of a body that is too large (R-X31), and to close a connection whose last answer was given. */
  readonly restMs: number;
}

/** Node's default is only every 30 s. */
export const TIMEOUTS: EdgeTimeouts = {
  requestMs: 15_000,
  headersMs: 10_000,
  keepAliveMs: 72_000,
  proxyKeepAliveMs: 65 * MINUTE_MS,
  checkEveryMs: 2_000,
  takeMs: 60_000,
  restMs: 5_000,
};
