import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { scriptOf } from "../support/script.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * Bundles a folder's workflows in a process of its own, and returns the script's path; nothing where it is not kept.
 * @param limit a shell's command before it.
 */
function bundle(workflowsPath: string, cache: string, limit = "true"): string {
  const script = scriptOf("src/runtime/temporal/workflow-bundle.ts", "workflowBundle");
  const words = [process.execPath, "--input-type=module", "-e", script, workflowsPath, cache];
  const options = { encoding: "utf8", cwd: ROOT, timeout: 60_000, stdio: "pipe" } as const;
  return execFileSync("/bin/sh", ["-c", `${limit}; exec "$0" "$@"`, ...words], options).trim();
}

describe("the workflows' bundle", () => {
  let cache: string;
  beforeEach(() => {
    cache = newFolder("gh-bundle-");
  });

  it("contains no module that could change a replay, and nothing of src/", () => {
    const code = readFileSync(bundle(join(ROOT, "workflows", "index.ts"), cache), "utf8");
    const modules = [...code.matchAll(/^\/\*\*\*\/ "\.\/([^"]+)":?$/gm)].map(([, path]) => path ?? "");
    const ours = modules.filter((path) => !path.startsWith("node_modules/"));
    const packages = new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
    expect(ours.filter((path) => path.startsWith("src/"))).toEqual([]);
    expect(ours.some((path) => path.endsWith("workflows/webhook-retry.ts"))).toBe(true);
    expect([...packages].toSorted()).toEqual(["@temporalio/common", "@temporalio/workflow", "long", "nexus-rpc"]);
  }, 90_000);

  it("is built once for the same content", () => {
    const path = bundle(join(ROOT, "workflows", "index.ts"), cache);
    writeFileSync(path, "kept");
    expect(bundle(join(ROOT, "workflows", "index.ts"), cache)).toBe(path);
    expect(readFileSync(path, "utf8")).toBe("kept");
    expect(readdirSync(cache)).toHaveLength(1);
  }, 90_000);

  it("leaves nothing of itself where it cannot be written whole", () => {
    expect(bundle(join(ROOT, "workflows", "index.ts"), cache, "ulimit -f 100")).toBe("");
    expect(readdirSync(cache)).toEqual([]);
  }, 90_000);

  it("is refused when a workflow imports a forbidden module", () => {
    // Below the repository, where its packages are found.
    const folder = join(ROOT, ".cache", "planted-workflows");
    mkdirSync(folder, { recursive: true });
    cpSync(join(ROOT, "workflows", "failure-converter.ts"), join(folder, "failure-converter.ts"));
    const planted = join(folder, "index.ts");
    writeFileSync(
      planted,
      'import { readFileSync } from "node:fs";\nexport async function planted() { return readFileSync("/etc/hostname"); }\n',
    );
    expect(() => bundle(planted, join(cache, "made"))).toThrow(/node:fs/);
  }, 90_000);
});
