import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** One language's own way of installing a package and running a program that uses it. */
export interface Toolchain {
  readonly language: string;
  /** What is not on this machine, in a sentence; undefined when all is there. */
  missing(): string | undefined;
  /** Installs the SDK beside the program that checks it; returns the command that runs the program. */
  prepare(): Promise<Command>;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

const ROOT = join(import.meta.dirname, "..", "..");
const WORK = join(ROOT, ".cache", "sdks");
const sdk = (language: string): string => join(ROOT, "generated", "sdk", language);
const program = (language: string): string => join(import.meta.dirname, language);

const run = async (file: string, args: readonly string[], cwd: string): Promise<string> => {
  try {
    return (await promisify(execFile)(file, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${file} ${args.join(" ")} failed in ${cwd}:\n${stdout}\n${stderr}`);
  }
};

/** The first of these commands that does not run, with its cure. */
const firstMissing = (needed: readonly (readonly [command: string, args: readonly string[], cure: string])[]) => {
  const gone = needed.find(([command, args]) => spawnSync(command, args).status !== 0);
  return gone === undefined ? undefined : `${gone[0]} is not on PATH (${gone[2]})`;
};

/** A fresh folder with the program, and the SDK beside it when the tools would write into it. */
async function freshFolder(language: string): Promise<string> {
  const folder = join(WORK, language);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(program(language), join(folder, "check"), { recursive: true });
  await cp(sdk(language), join(folder, "sdk"), { recursive: true });
  return folder;
}

const typescript: Toolchain = {
  language: "typescript",
  missing: () => firstMissing([["npm", ["--version"], "comes with Node.js"]]),
  async prepare() {
    const folder = await freshFolder("typescript");
    const cwd = join(folder, "check");
    await run("npm", ["pack", "--silent", "--pack-destination", folder, join(folder, "sdk")], folder);
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    await writeFile(join(cwd, "package.json"), '{ "private": true, "type": "module" }');
    await run("npm", ["install", "--silent", "--ignore-scripts", "--no-audit", join(folder, tarball)], cwd);
    // As strict as an integrator may be; the types of Node.js are the repository's.
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"];
    const further = ["--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--verbatimModuleSyntax"];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
    await run(join(ROOT, "node_modules", ".bin", "tsc"), [...strict, ...further, ...types, "check.ts"], cwd);
    return { file: process.execPath, args: ["check.ts"], cwd };
  },
};

const python: Toolchain = {
  language: "python",
  missing: () =>
    firstMissing([
      ["python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"], "3.10 or newer; apt-get install python3"],
      ["python3", ["-c", "import ensurepip, venv"], "its venv module; apt-get install python3-venv"],
    ]),
  async prepare() {
    const folder = await freshFolder("python");
    await run("python3", ["-m", "venv", "venv"], folder);
    await run(join(folder, "venv", "bin", "pip"), ["install", "--quiet", "./sdk"], folder);
    return { file: join(folder, "venv", "bin", "python"), args: ["check.py"], cwd: join(folder, "check") };
  },
};

const go: Toolchain = {
  language: "go",
  missing() {
    const { stdout, status } = spawnSync("go", ["version"], { encoding: "utf8" });
    const minor = Number(/go1\.(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
    if (status !== 0) return "go is not on PATH (1.23 or newer; apt-get install golang-go)";
    return minor < 23 ? `${stdout.trim()} is too old: 1.23 or newer is needed` : undefined;
  },
  async prepare() {
    const folder = await freshFolder("go");
    const cwd = join(folder, "check");
    await run("go", ["mod", "init", "gatehouse.example/check"], cwd);
    await run(
      "go",
      ["mod", "edit", "-require", "gatehouse.example/sdk/go@v0.1.0", "-replace", "gatehouse.example/sdk/go=../sdk"],
      cwd,
    );
    await run("go", ["mod", "tidy"], cwd);
    await run("go", ["vet", "./..."], cwd);
    await run("go", ["build", "-o", "checked", "."], cwd);
    return { file: join(cwd, "checked"), args: [], cwd };
  },
};

const java: Toolchain = {
  language: "java",
  missing: () =>
    firstMissing([
      ["javac", ["-version"], "11 or newer; apt-get install default-jdk-headless"],
      ["mvn", ["--version"], "apt-get install maven"],
    ]),
  async prepare() {
    const folder = await freshFolder("java");
    const cwd = join(folder, "check");
    // A repository of our own: nothing is left in the one of who runs this.
    const quiet = ["-q", "-B", `-Dmaven.repo.local=${resolve(WORK, "maven")}`];
    const only = ["-DskipTests", "-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"];
    await run("mvn", [...quiet, ...only, "install"], join(folder, "sdk"));
    await run("mvn", [...quiet, "compile", "dependency:copy-dependencies"], cwd);
    return { file: "java", args: ["-cp", "target/classes:target/dependency/*", "Check"], cwd };
  },
};

export const TOOLCHAINS: readonly Toolchain[] = [typescript, python, go, java];
