import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs a folder's packages from its lock file, unless they are there: what npm wrote down of its last install is compared with the
 * lock file, so an install that is complete takes no call of npm, and one that was cut short or is out of date is made anew.
 * Usage: node tools/install.ts production|full [folder …]. A full install serves where production is asked for.
 */

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

type Kind = "production" | "full";

function readLock(path: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isInstalled(folder: string, kind: Kind): boolean {
  const wanted = readLock(join(folder, "package-lock.json"));
  if (wanted === undefined) throw new Error(`${folder} has no package-lock.json`);
  const installed = readLock(join(folder, "node_modules", ".package-lock.json"))?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted.packages).every(([path, { version, integrity, ...mark }]) => {
    const isAskedFor = path !== "" && (kind === "full" || !(mark.dev || mark.devOptional));
    // An optional package may be one for another platform.
    if (!isAskedFor || mark.optional || mark.devOptional) return true;
    return installed[path]?.version === version && installed[path]?.integrity === integrity;
  });
}

function install(folder: string, kind: Kind): void {
  const args = ["ci", "--loglevel=error", ...(kind === "production" ? ["--omit=dev"] : [])];
  process.stderr.write(
    `Installing the packages of ${folder === "." ? "gatehouse" : folder} (npm ${args.join(" ")}) …\n`,
  );
  const { status, error } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (error !== undefined) throw new Error(`npm cannot be run (${error.message}): put npm on PATH`);
  if (status !== 0) throw new Error(`npm ci failed in ${folder}; what it said stands above`);
}

function main([kind, ...folders]: readonly string[]): void {
  if (kind !== "production" && kind !== "full")
    throw new Error("usage: node tools/install.ts production|full [folder …]");
  for (const folder of folders.length === 0 ? ["."] : folders) if (!isInstalled(folder, kind)) install(folder, kind);
}

try {
  process.chdir(join(import.meta.dirname, ".."));
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`install: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
