import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from "@temporalio/worker";
import { makeDirectory } from "../basis/directories.ts";
import { removeIfPossible } from "../basis/durable-file.ts";

/**
 * The workflows as one script for the worker's sandbox, with `failure-converter.ts` beside them. Made once for each content of
 * their folder and version of the SDK, and cached, since making it takes seconds. Where it cannot be kept, for example in a
 * read-only folder, it is made at each start.
 * @throws Error when a workflow has a forbidden import.
 */
export async function workflowBundle(workflowsPath: string, cacheDirectory: string): Promise<WorkflowBundleOption> {
  const codePath = join(cacheDirectory, `${digestOf(dirname(workflowsPath))}.cjs`);
  if (existsSync(codePath)) return { codePath };
  const failureConverterPath = join(dirname(workflowsPath), "failure-converter.ts");
  const logger = new DefaultLogger("ERROR");
  const { code } = await bundleWorkflowCode({ workflowsPath, failureConverterPath, logger });
  const partial = `${codePath}.${randomUUID()}`;
  try {
    makeDirectory(cacheDirectory);
    // One rename, so that the file is never visible in part.
    writeFileSync(partial, code);
    renameSync(partial, codePath);
    return { codePath };
  } catch {
    removeIfPossible(partial);
    return { code };
  }
}

function digestOf(directory: string): string {
  const hash = createHash("sha256").update(sdkVersion());
  for (const name of readdirSync(directory).toSorted()) {
    if (name.endsWith(".ts")) hash.update(name).update(readFileSync(join(directory, name)));
  }
  return hash.digest("hex").slice(0, 24);
}

const sdkVersion = (): string =>
  (createRequire(import.meta.filename)("@temporalio/worker/package.json") as { readonly version: string }).version;
