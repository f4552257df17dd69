import { subscribe } from "node:diagnostics_channel";
import Sqlite from "better-sqlite3";
import pg from "pg";

/**
 * Loaded with --import: the process ends itself with SIGKILL at one step, as a power cut or an operator's `kill -9` would at that instant.
 * END_AT is JSON: `nth` occurrence of either a diagnostics `channel`, or of a statement that matches `statement`; with `committed`, the
 * end comes after the commit of that statement's transaction and not within it.
 */
const { channel, statement, committed = false, nth = 1 } = JSON.parse(process.env.END_AT ?? "{}");

const end = () => process.kill(process.pid, "SIGKILL");

let left = nth;
if (channel !== undefined) {
  subscribe(channel, () => {
    if (--left === 0) end();
  });
}

if (statement !== undefined) {
  const pattern = new RegExp(statement, "is");
  /** Connections whose open transaction has the statement. */
  const before = new Set();
  const done = (connection, text) => {
    if (pattern.test(text) && --left === 0) {
      if (!committed) end();
      before.add(connection);
    } else if (before.has(connection) && /^\s*commit\b/i.test(text)) end();
  };

  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (text) {
    const prepared = prepare.call(this, text);
    for (const method of ["run", "all", "get"]) {
      const original = prepared[method];
      prepared[method] = (...parameters) => {
        const answer = original.apply(prepared, parameters);
        done(this, text);
        return answer;
      };
    }
    return prepared;
  };

  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (config, ...rest) {
    const text = typeof config === "string" ? config : (config?.text ?? "");
    // A statement under a name is submitted as an object that is called back (named-statement.ts).
    const { callback } = config;
    if (callback !== undefined)
      config.callback = (error, result) => {
        if (error === null) done(this, text);
        callback(error, result);
      };
    const answer = query.call(this, config, ...rest);
    answer?.then?.(
      () => done(this, text),
      () => undefined,
    );
    return answer;
  };
}
