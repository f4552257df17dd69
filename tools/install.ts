import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs a folder's packages from its lock file, unless they are installed: npm's record of its last install is
 * compared with the lock file. A complete install needs no call of npm; an interrupted or outdated one is repeated.
 * Usage: node tools/install.ts production|temporal|full [folder …]. `production` is what the program needs to run, `temporal` adds the
 * packages for a Temporal server (the optional ones, decision 0038), `full` those for development. A larger install is
 * accepted where a smaller one is asked for.
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
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** Dependencies that npm omits, from the smallest install to the largest. */
const OMITTED = {
  production: ["--omit=dev", "--omit=optional"],
  temporal: ["--omit=dev"],
  full: [],
} as const;

type Kind = keyof typeof OMITTED;

function readLock(path: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Paths of packages of the lock file that the folder lacks, or has in another version. */
function missingFrom(folder: string, kind: Kind): readonly string[] {
  const wanted = readLock(join(folder, "package-lock.json"));
  if (wanted === undefined) throw new Error(`${folder} has no package-lock.json`);
  const installed = readLock(join(folder, "node_modules", ".package-lock.json"))?.packages ?? {};
  return Object.entries(wanted.packages)
    .filter(([path, locked]) => path !== "" && isAskedFor(locked, kind))
    .filter(
      ([path, { version, integrity }]) =>
        installed[path]?.version !== version || installed[path]?.integrity !== integrity,
    )
    .map(([path]) => path);
}

function isAskedFor({ dev, optional, devOptional, os, cpu }: LockedPackage, kind: Kind): boolean {
  // Optional packages of tools, and those of one platform, may be for another machine.
  if (os !== undefined || cpu !== undefined || (dev && optional)) return false;
  if (kind === "full") return true;
  return !dev && (kind === "temporal" || !(optional || devOptional));
}

function install(folder: string, kind: Kind): void {
  const args = ["ci", "--loglevel=error", ...OMITTED[kind]];
  process.stderr.write(
    `Installing the packages of ${folder === "." ? "gatehouse" : folder} (npm ${args.join(" ")}) …\n`,
  );
  const { status, error } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (error !== undefined) throw new Error(`npm cannot be run (${error.message}): put npm on PATH`);
  if (status !== 0) throw new Error(`npm ci failed in ${folder}; its messages are above`);
  // npm succeeds without an optional package that it could not fetch.
  const missing = missingFrom(folder, kind);
  if (missing.length > 0) throw new Error(`npm ci in ${folder} did not install ${missing.join(", ")}: try again`);
}

const isKind = (word: string | undefined): word is Kind => word !== undefined && Object.hasOwn(OMITTED, word);

function main([kind, ...folders]: readonly string[]): void {
  if (!isKind(kind)) throw new Error(`usage: node tools/install.ts ${Object.keys(OMITTED).join("|")} [folder …]`);
  for (const folder of folders.length === 0 ? ["."] : folders)
    if (missingFrom(folder, kind).length > 0) install(folder, kind);
}

try {
  process.chdir(join(import.meta.dirname, ".."));
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`install: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
