// Preloaded by a test: the removal of a socket's file waits until the file TEST_GO exists, and says so by the file TEST_WAITS.
import { existsSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

const remove = promises.rm;
promises.rm = async (path, options) => {
  if (String(path).endsWith(".sock")) {
    writeFileSync(process.env.TEST_WAITS, "");
    while (!existsSync(process.env.TEST_GO)) await sleep(10);
  }
  return remove(path, options);
};
syncBuiltinESMExports();
