import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Command } from "../conformance/sdk-driver.ts";
import { type Block, blocksOf } from "./readme-blocks.ts";

/** One language's own way of installing a package and building programs that use it. */
export interface Toolchain {
  readonly language: string;
  /** What is not on this machine, in a sentence; undefined when all is there. */
  missing(): string | undefined;
  /** Files beside the driver's with scenarios of this language alone, run as the driver is; each ends with 0 when all hold. */
  readonly ownScenarios?: readonly string[];
  /** Installs the SDK as its README says, and builds the driver and the README's programs. */
  prepare(): Promise<Installed>;
}

export interface Installed {
  /** Takes calls as lines of JSON (test/conformance/sdk-driver.ts). */
  readonly driver: Command;
  /** The programs of the README, by name. */
  readonly programs: Readonly<Record<string, Command>>;
}

const ROOT = join(import.meta.dirname, "..", "..");
const WORK = join(ROOT, ".cache", "sdks");
const sdk = (language: string): string => join(ROOT, "generated", "sdk", language);

const run = async (
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)(file, [...args], options)).stdout;
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

/** Where an SDK is tried. */
interface Place {
  /** The program that uses the SDK is here. */
  readonly project: string;
  /** A copy of what a clone of the repository has of the SDK: tools write into the folder that they install. */
  readonly clone: string;
  readonly blocks: readonly Block[];
}

/** A fresh place, with the driver's sources in its project. */
async function freshPlace(language: string): Promise<Place> {
  const folder = join(WORK, language);
  const [project, clone] = [join(folder, "project"), join(folder, "clone")];
  await rm(folder, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  await cp(join(import.meta.dirname, language), project, { recursive: true });
  await cp(sdk(language), join(clone, "generated", "sdk", language), { recursive: true });
  return { project, clone, blocks: blocksOf(sdk(language)) };
}

/** Runs the README's commands, each literally as it is printed; `GATEHOUSE` is the folder of the clone. */
async function install({ project, clone, blocks }: Place, env: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const { text } of blocks.filter(({ language }) => language === "sh")) {
    const install = () => run("sh", ["-euc", text], project, { ...env, GATEHOUSE: clone });
    // Several languages' installers work at once, and share caches and registries: one of them may lose a file.
    await install().catch(install);
  }
}

/** The README's programs in a language, written into the project under their names. */
async function writePrograms({ project, blocks }: Place, word: string, suffix: string): Promise<readonly string[]> {
  const programs = blocks.filter(({ language }) => language === word);
  for (const { name, text } of programs) await writeFile(join(project, `${name}${suffix}`), text);
  return programs.map(({ name }) => name);
}

/** What each driver needs besides the SDK. */
const DRIVER_ENV = { GATEHOUSE_SDK_DOCUMENT: join(ROOT, "generated", "sdk", "openapi.json") };

const typescript: Toolchain = {
  language: "typescript",
  missing: () => firstMissing([["npm", ["--version"], "comes with Node.js"]]),
  async prepare() {
    const place = await freshPlace("typescript");
    const cwd = place.project;
    await writeFile(join(cwd, "package.json"), '{ "private": true, "type": "module" }');
    await install(place, { npm_config_loglevel: "error", npm_config_audit: "false" });
    const names = await writePrograms(place, "ts", ".ts");
    const files = ["driver", ...names].map((name) => `${name}.ts`);
    // As strict as an integrator may be; the types of Node.js are the repository's.
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"];
    const further = ["--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--verbatimModuleSyntax"];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
    await run(join(ROOT, "node_modules", ".bin", "tsc"), [...strict, ...further, ...types, ...files], cwd);
    const program = (name: string): Command => ({ file: process.execPath, args: [`${name}.ts`], cwd });
    return {
      driver: { ...program("driver"), env: DRIVER_ENV },
      programs: Object.fromEntries(names.map((name) => [name, program(name)])),
    };
  },
};

const python: Toolchain = {
  language: "python",
  ownScenarios: ["scenarios.py"],
  missing: () =>
    firstMissing([
      ["python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"], "3.10 or newer; apt-get install python3"],
      ["python3", ["-c", "import ensurepip, venv"], "its venv module; apt-get install python3-venv"],
    ]),
  async prepare() {
    const place = await freshPlace("python");
    const cwd = place.project;
    await run("python3", ["-m", "venv", "venv"], cwd);
    const bin = join(cwd, "venv", "bin");
    await install(place, { PATH: `${bin}:${process.env.PATH}`, PIP_QUIET: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" });
    const names = await writePrograms(place, "python", ".py");
    const program = (name: string): Command => ({ file: join(bin, "python"), args: [`${name}.py`], cwd });
    return {
      // Nothing depends on the zone of the platform.
      driver: { ...program("driver"), env: { TZ: "America/New_York" } },
      programs: Object.fromEntries(names.map((name) => [name, program(name)])),
    };
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
    const place = await freshPlace("go");
    const cwd = place.project;
    await run("go", ["mod", "init", "gatehouse.example/project"], cwd);
    await install(place);
    const names = ["main", ...(await writePrograms(place, "go", ".go"))];
    for (const name of names) {
      await run("go", ["vet", `${name}.go`], cwd);
      await run("go", ["build", "-o", name, `${name}.go`], cwd);
    }
    const program = (name: string): Command => ({ file: join(cwd, name), args: [], cwd });
    return {
      driver: program("main"),
      programs: Object.fromEntries(names.filter((name) => name !== "main").map((name) => [name, program(name)])),
    };
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
    const place = await freshPlace("java");
    const cwd = place.project;
    // A repository of our own: nothing is left in the one of who runs this.
    const maven = ["-q", "-B", `-Dmaven.repo.local=${resolve(WORK, "maven")}`];
    await install(place, { MAVEN_OPTS: maven.slice(2).join(" ") });
    const dependencies = place.blocks.filter(({ language }) => language === "xml").map(({ text }) => text);
    const pom = await readFile(join(cwd, "pom.xml"), "utf8");
    await writeFile(
      join(cwd, "pom.xml"),
      pom.replace("<dependencies/>", `<dependencies>${dependencies.join("")}</dependencies>`),
    );
    await run("mvn", [...maven, "compile", "dependency:copy-dependencies"], cwd);
    const names = await writePrograms(place, "java", ".java");
    const program = (...args: string[]): Command => ({
      file: "java",
      args: ["-cp", "target/classes:target/dependency/*", ...args],
      cwd,
    });
    return {
      // Before Java 18 the charset is the platform's: the SDK must not depend on it. The other setting turns off the
      // platform's own retries, as the README says, so that those of the SDK can be counted.
      driver: program("-Dfile.encoding=US-ASCII", "-Djdk.httpclient.redirects.retrylimit=1", "Driver"),
      programs: Object.fromEntries(names.map((name) => [name, program(`${name}.java`)])),
    };
  },
};

export const TOOLCHAINS: readonly Toolchain[] = [typescript, python, go, java];
