import type { Log } from "../../src/runtime/process/log.ts";

/** Discards every line. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, flush() {}, async end() {} };
