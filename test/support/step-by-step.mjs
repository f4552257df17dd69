// Preloaded with --import: before each synchronous use of a file whose path contains STEPS_IN, the process says "step" and
// waits for a line. So a test decides what other processes do in between.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { readSync, writeSync } = fs;
const line = Buffer.alloc(1);

for (const [name, use] of Object.entries(fs)) {
  if (!name.endsWith("Sync")) continue;
  fs[name] = (...given) => {
    if (String(given[0]).includes(process.env.STEPS_IN)) {
      writeSync(1, "step\n");
      readSync(0, line);
    }
    return use(...given);
  };
}
syncBuiltinESMExports();
