import { Parts, stopOnSignals } from "../../../src/runtime/process/lifecycle.ts";
import { silentLog } from "../../support/silent-log.ts";

/** Run as a process of its own by lifecycle.test.ts: lives until it is signalled; its one part takes the given milliseconds to stop. */
const stopMs = Number(process.argv[2]);

const parts = new Parts(silentLog);
const living = setInterval(() => undefined, 1_000);
parts.add({
  name: "part",
  async stop() {
    process.stdout.write("stopping\n");
    await new Promise((resolve) => setTimeout(resolve, stopMs));
    clearInterval(living);
    process.stdout.write("stopped\n");
  },
});
stopOnSignals(parts, silentLog);
process.stdout.write("ready\n");
