import { spawnSync } from "node:child_process";
import { basename, dirname, join, resolve } from "node:path";

/** One change that would break a client that relies on the baseline. */
export interface BreakingChange {
  /** File and line of the changed part; only the file when the part was removed. */
  readonly place: string;
  /** JSON pointer or path of the proto element, if the tool names one. */
  readonly element: string;
  readonly sentence: string;
}

interface Location {
  readonly file: string;
  readonly line?: number;
}

interface Change {
  readonly path: string;
  readonly impact: string;
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string; readonly location?: Location }[];
  readonly base?: Location;
  readonly revision?: Location;
}

const bin = (name: string): string => join("node_modules", ".bin", name);

/**
 * The changes from `base` to `revision` that break clients, by Redocly's rules (`diff-recommended` in redocly.yaml;
 * without that setting Redocly finds nothing). Both are
 * bundles, OpenAPI or AsyncAPI.
 * @throws Error with the tool's message when it cannot read one of them.
 */
export function contractBreaks(base: string, revision: string): readonly BreakingChange[] {
  const { stdout, stderr } = spawnSync(bin("redocly"), ["diff", base, revision, "--format", "json"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  if (!stdout.startsWith("{")) throw new Error(`${revision} cannot be compared with ${base}: ${stderr.trim()}`);
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly Change[] };
  return changes
    .filter(({ impact }) => impact === "major")
    .map(({ path, verdicts, revision: now, base: before }) => {
      const { message, location, ruleId } = verdicts[0] ?? { message: "is gone or changed", ruleId: "unnamed rule" };
      const line = location?.line ?? now?.line ?? before?.line;
      return {
        place: `${revision}${line === undefined ? "" : `:${line}`}`,
        element: path,
        sentence: `${message} (${ruleId})`,
      };
    });
}

/**
 * The changes from the protos of `base`, an image or a folder, to those of `folder` that break clients. By WIRE_JSON,
 * what is sent must stay readable; by PACKAGE, code that was generated must compile as well, and services and methods
 * stay.
 * @throws Error with buf's message when it cannot read one of them.
 */
export function protoBreaks(
  base: string,
  folder: string,
  rules: "WIRE_JSON" | "PACKAGE" = "WIRE_JSON",
): readonly BreakingChange[] {
  // The settings of buf.yaml, also for folders elsewhere: without them buf would apply other rules.
  const config = JSON.stringify({
    version: "v2",
    modules: [{ path: basename(folder) }],
    breaking: { use: [rules] },
  });
  const args = ["breaking", ".", "--against", resolve(base), "--error-format", "json", "--config", config];
  const { stdout, stderr, status } = spawnSync(resolve(bin("buf")), args, {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
    cwd: dirname(resolve(folder)),
  });
  if (stderr.trim() !== "" || (status !== 0 && stdout === "")) throw new Error(`buf breaking: ${stderr.trim()}`);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const { path = folder, start_line, type, message } = JSON.parse(line) as Record<string, string | undefined>;
    return {
      place: start_line === undefined ? path : `${path}:${start_line}`,
      element: "",
      sentence: `${message} (${type})`,
    };
  });
}
