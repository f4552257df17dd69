import { registerHooks } from "node:module";

/** Loaded with --import: makes Temporal's packages unresolvable, as if they were not installed. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@temporalio/"))
      throw new Error(`The package ${specifier} is made unresolvable in this process.`);
    return next(specifier, context);
  },
});
