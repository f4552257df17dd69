import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isBuildProduct, SDK_LANGUAGES, type SdkLanguage } from "../../src/portal/sdks/sdk-archive.ts";
import { Missing } from "./generator.ts";

export const LANGUAGES = SDK_LANGUAGES;
export type Language = SdkLanguage;

interface GeneratorOptions {
  readonly generatorName: string;
  /** Below the SDK's folder. */
  readonly outputFolder: string;
}

/** An SDK has the version of the program, from package.json. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }).version;

/** What the files of sdks/ have in its place. */
const VERSION_PLACE = "0.0.0";

const withVersion = (text: string): string => text.replaceAll(VERSION_PLACE, programVersion());

const GLOBAL = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";

function run(command: string, args: readonly string[], cwd?: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (error !== undefined) throw new Error(`${command}: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
}

/** @throws Missing without the formatter of Go: asked before anything is made, since what is missing leaves all as it was. */
export function assertFormatter(): void {
  if (spawnSync("gofmt", ["-h"]).error !== undefined)
    throw new Missing("gofmt is not on PATH, and the generator does not format (Debian: apt-get install golang-go)");
}

/** Types that only browsers have, which would be errors in a program for Node.js alone, and what stands in their place. */
const BROWSER_TYPES: readonly (readonly [string, string])[] = [
  // A method, as it was: the generated code passes on a function that takes less.
  [
    "WindowOrWorkerGlobalScope['fetch']",
    "{ fetch(...given: Parameters<typeof fetch>): ReturnType<typeof fetch> }['fetch']",
  ],
  ["RequestCredentials", "RequestInit['credentials']"],
];

/** @throws Error when the generator no longer writes one of these types: then it needs no replacement. */
function withoutBrowserTypes(text: string): string {
  for (const [type] of BROWSER_TYPES)
    if (!text.includes(type)) throw new Error(`runtime.ts has no ${type} any more: remove its replacement`);
  return BROWSER_TYPES.reduce((replaced, [type, substitute]) => replaced.replaceAll(type, substitute), text);
}

/** Final steps on the generator's output that make the folder a package of its ecosystem. */
const FINISH: Readonly<Record<Language, (folder: string) => void>> = {
  // Uses the root's compiler: the package ships compiled, since type stripping does not suffice for generated code.
  typescript(folder) {
    const runtime = join(folder, "src", "runtime.ts");
    writeFileSync(runtime, withoutBrowserTypes(readFileSync(runtime, "utf8")));
    run(join("node_modules", ".bin", "tsc"), ["--project", folder]);
  },
  python(folder) {
    const models = join(folder, "gatehouse_sdk", "models");
    const edit = (name: string, from: RegExp, to: string) =>
      writeFileSync(join(models, name), readFileSync(join(models, name), "utf8").replaceAll(from, to));
    // Type checkers take a name as exported when it is imported "as" itself,
    edit("__init__.py", / import (\w+)$/gm, " import $1 as $1");
    // and an "alias" as the only name of a parameter, where the constructor takes Python's name too.
    for (const name of readdirSync(models))
      edit(name, /(?<=Field\(|, )alias=("[^"\n]*")\)/g, "validation_alias=$1, serialization_alias=$1)");
  },
  go(folder) {
    run("gofmt", ["-w", "."], folder);
  },
  java(folder) {
    // What Maven packs into the jar.
    cpSync("LICENSE", join(folder, "src", "main", "resources", "META-INF", "LICENSE"));
    // The template names a source repository in any case; without settings, its own.
    const pom = join(folder, "pom.xml");
    writeFileSync(pom, readFileSync(pom, "utf8").replace(/\n\s*<scm>.*?<\/scm>/s, ""));
  },
};

/** Path of every file of a package, without build products of its language's tools; in order. */
export const pathsOf = (language: Language, folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !isBuildProduct(language, path))
    .toSorted((one, other) => (one < other ? -1 : 1));

/** Makes one SDK in `folder`, which is emptied first: generated code, our own files over it, and what `FINISH` does. */
export function makeSdk(
  language: Language,
  { jar, document, folder }: { jar: string; document: string; folder: string },
): void {
  const source = join("sdks", language);
  const options = JSON.parse(withVersion(readFileSync(join(source, "generator.json"), "utf8"))) as GeneratorOptions;
  const output = join(folder, options.outputFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  // The generator reads this file from its output folder only.
  cpSync(join("sdks", "generator-ignore"), join(output, ".openapi-generator-ignore"));
  const config = join(folder, "generator.json");
  const { outputFolder: _, ...given } = options;
  writeFileSync(config, JSON.stringify(given));
  run("java", ["-jar", jar, "generate", "-i", document, "-o", output, "-c", config, `--global-property=${GLOBAL}`]);
  rmSync(config);
  rmSync(join(output, ".openapi-generator-ignore"));
  rmSync(join(output, ".openapi-generator"), { recursive: true });
  const overlay = join(source, "overlay");
  for (const path of pathsOf(language, overlay)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), withVersion(readFileSync(join(overlay, path), "utf8")));
  }
  cpSync("LICENSE", join(folder, "LICENSE"));
  FINISH[language](folder);
  if (!existsSync(join(folder, "README.md"))) throw new Error(`${source}/overlay has no README.md`);
}
