import { registerHooks } from "node:module";

/** Loaded with --import: makes the packages of the store unresolvable, as if they were not installed. */
const FORBIDDEN = ["kysely", "pg", "better-sqlite3"];

registerHooks({
  resolve(specifier, context, next) {
    if (FORBIDDEN.includes(specifier))
      throw new Error(`The package ${specifier} is made unresolvable in this process.`);
    return next(specifier, context);
  },
});
