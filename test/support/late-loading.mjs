// Preloaded by a test: what `gatehouse serve` serves is loaded once the file TEST_GO exists; the file TEST_WAITS says that it waits.
import { existsSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    if (url.endsWith("/roles/all.ts")) {
      writeFileSync(process.env.TEST_WAITS, "");
      const never = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(process.env.TEST_GO)) Atomics.wait(never, 0, 0, 10);
    }
    return next(url, context);
  },
});
