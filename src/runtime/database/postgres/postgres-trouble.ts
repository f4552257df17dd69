import type { StoreTrouble } from "../../basis/store-troubles.ts";
import { storeTroubleOf } from "../store-trouble.ts";

/** Beginnings of node-postgres' messages about a lost connection; these errors have no code. */
const LOST = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Client was closed",
  "Query read timeout",
  "timeout expired",
  "Cannot use a pool after calling end",
];
/** All connections of the pool are in use, for as long as a new connection may take. */
const NONE_FREE = "timeout exceeded when trying to connect";

/**
 * The store's trouble that an error of node-postgres or of the server shows; `undefined` when it concerns the statement
 * only.
 */
export function postgresTroubleOf(error: unknown): StoreTrouble | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code !== undefined) return storeTroubleOf(error);
  if (typeof message !== "string") return undefined;
  if (message.startsWith(NONE_FREE)) return "busy";
  return LOST.some((start) => message.startsWith(start)) ? "away" : undefined;
}

/** The server, the database or the role has no connection left for us (`too_many_connections`). */
export const isNoneLeft = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === "53300";

/** True when the connection must not be reused: it is lost, or its server has become a standby. */
export const endsConnection = (trouble: StoreTrouble): boolean => trouble === "away" || trouble === "read_only";

/** The error of a missed deadline; its code classifies the store as "away". */
export const silent = (ms: number): Error =>
  Object.assign(new Error(`PostgreSQL did not answer within ${ms} ms.`), { code: "ETIMEDOUT" });

export const isDeadline = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === "ETIMEDOUT";

/**
 * State of a transaction, or of a write by itself, whose connection was lost: not committed, or unknown because its
 * commit had been sent.
 */
type Loss = "uncommitted" | "unknown";

const losses = new WeakMap<object, Loss>();

export function withLoss<E extends object>(error: E, loss: Loss): E {
  losses.set(error, loss);
  return error;
}

/**
 * Set only on the error of a transaction or write that lost its connection; `undefined` for all others, a missed
 * deadline included.
 */
export const lossOf = (error: unknown): Loss | undefined =>
  typeof error === "object" && error !== null ? losses.get(error) : undefined;
