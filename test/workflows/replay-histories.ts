import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DefaultLogger, Runtime, Worker } from "@temporalio/worker";
import { workflowBundle } from "../../src/runtime/temporal/workflow-bundle.ts";

/**
 * Replays every history of a folder against the workflows as they are, and writes one line of JSON: per file `ok`, or why not. A program of its
 * own, since the SDK's engine keeps a process of the tests from ending. Usage: node test/workflows/replay-histories.ts <folder>
 */
const [folder = ""] = process.argv.slice(2);
const root = join(import.meta.dirname, "..", "..");
Runtime.install({
  logger: new DefaultLogger("ERROR", () => undefined),
  telemetryOptions: { logging: { filter: "OFF", forward: {} } },
});
const bundle = await workflowBundle(join(root, "workflows", "index.ts"), join(root, ".cache", "workflows"));

const results: Record<string, string> = {};
for (const name of readdirSync(folder).toSorted()) {
  const history: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
  try {
    await Worker.runReplayHistory({ workflowBundle: bundle }, history);
    results[name] = "ok";
  } catch (error) {
    results[name] = `${(error as Error).name}: ${(error as Error).message}`;
  }
}
process.stdout.write(`${JSON.stringify(results)}\n`);
