import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATOR } from "./generator.ts";
import { LANGUAGES, type Language, pathsOf, programVersion } from "./languages.ts";
import { sdkDocument } from "./sdk-document.ts";

export const SDK_FOLDER = join("generated", "sdk");

/** The SDKs' sources, generator and results: equal digests mean equal bytes. */
export interface Manifest {
  /** Of the program, and of each SDK. */
  readonly version: string;
  readonly generator: typeof GENERATOR;
  readonly contracts: { readonly version: string; readonly sha256: string };
  readonly sdks: Readonly<
    Record<Language, { readonly input: string; readonly output: string; readonly files: number }>
  >;
}

const digest = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/** Path and digest of every file of a package, in the order of the paths. */
export const filesOf = (language: Language, folder: string): readonly (readonly [path: string, sha256: string])[] =>
  pathsOf(language, folder).map((path) => [path, digest(readFileSync(join(folder, path)))]);

/** One digest of many files. */
const treeDigest = (files: ReturnType<typeof filesOf>): string =>
  digest(files.map(([path, sha256]) => `${sha256}  ${path}\n`).join(""));

/** Sources of an SDK besides the contracts: the generator's settings and our own files. */
function inputOf(language: Language, source: string): string {
  const settings = join(source, "generator.json");
  const overlay = filesOf(language, join(source, "overlay")).map(
    ([path, sha256]) => [`overlay/${path}`, sha256] as const,
  );
  return treeDigest([["generator.json", digest(readFileSync(settings))], ...overlay]);
}

/** The document as the generator reads it. */
export const documentText = (): string => `${JSON.stringify(sdkDocument(), null, 2)}\n`;

/** The manifest of the present files in `folder` and `sources`. */
export function manifestOf(folder: string, sources = "sdks"): Manifest {
  const text = documentText();
  const { version } = (JSON.parse(text) as { readonly info: { readonly version: string } }).info;
  const common = digest(readFileSync(join(sources, "generator-ignore"))) + digest(readFileSync("LICENSE"));
  const sdks = LANGUAGES.map((language) => {
    const files = filesOf(language, join(folder, language));
    const input = digest(common + inputOf(language, join(sources, language)));
    return [language, { input, output: treeDigest(files), files: files.length }] as const;
  });
  return {
    version: programVersion(),
    generator: GENERATOR,
    contracts: { version, sha256: digest(text) },
    sdks: Object.fromEntries(sdks) as Manifest["sdks"],
  };
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;
