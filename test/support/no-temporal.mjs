import { registerHooks } from "node:module";

/** Loaded with --import: Temporal's packages cannot be found, as after `make install-production`. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@temporalio/"))
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: "ERR_MODULE_NOT_FOUND" });
    return next(specifier, context);
  },
});
