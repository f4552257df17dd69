import { type StoreTrouble, storeTroubleOf } from "./store-trouble.ts";

/** How node-postgres begins what it says of a lost connection; these errors have no code. */
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

/** What an error of node-postgres or of the server means for the store; `undefined` when it is about the statement. */
export function postgresTroubleOf(error: unknown): StoreTrouble | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code !== undefined) return storeTroubleOf(error);
  if (typeof message !== "string") return undefined;
  if (message.startsWith(NONE_FREE)) return "busy";
  return LOST.some((start) => message.startsWith(start)) ? "away" : undefined;
}

/** True when the connection must not be used again: it is lost, or leads to a server that has become a standby. */
export const endsConnection = (trouble: StoreTrouble): boolean => trouble === "away" || trouble === "read_only";

/** A deadline of ours that passed; says "away" by its code. */
export const silent = (ms: number): Error =>
  Object.assign(new Error(`PostgreSQL did not answer within ${ms} ms.`), { code: "ETIMEDOUT" });

export const isDeadline = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === "ETIMEDOUT";

/** What is known of a transaction whose connection was lost: it cannot have been committed, or its commit was on its way. */
export type Loss = "uncommitted" | "unknown";

const losses = new WeakMap<object, Loss>();

export function withLoss<E extends object>(error: E, loss: Loss): E {
  losses.set(error, loss);
  return error;
}

/** `undefined` for every error but that of a transaction which lost its connection, and for one that waited until a deadline. */
export const lossOf = (error: unknown): Loss | undefined =>
  typeof error === "object" && error !== null ? losses.get(error) : undefined;
