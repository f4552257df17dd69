import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { GENERATOR } from "./generator.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { sdkDocument } from "./sdk-document.ts";

export const SDK_FOLDER = join("generated", "sdk");

/** What the SDKs were made from and with, and what came out: equal digests mean equal bytes. */
export interface Manifest {
  readonly generator: typeof GENERATOR;
  readonly contracts: { readonly version: string; readonly sha256: string };
  readonly sdks: Readonly<
    Record<Language, { readonly input: string; readonly output: string; readonly files: number }>
  >;
}

const digest = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/** One digest of names and contents of every file below a folder, but `skipped` ones. */
function treeDigest(folder: string): { readonly sha256: string; readonly files: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(
      (path) =>
        [
          path
            .slice(folder.length + 1)
            .split(sep)
            .join("/"),
          path,
        ] as const,
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = files.map(([name, path]) => `${digest(readFileSync(path))}  ${name}\n`);
  return { sha256: digest(lines.join("")), files: files.length };
}

/** The document as the generator reads it. */
export const documentText = (): string => `${JSON.stringify(sdkDocument(), null, 2)}\n`;

/** The manifest that belongs to what lies in `folder` now. */
export function manifestOf(folder: string): Manifest {
  const text = documentText();
  const { version } = (JSON.parse(text) as { readonly info: { readonly version: string } }).info;
  const common = digest(readFileSync(join("sdks", "generator-ignore")));
  const sdks = LANGUAGES.map((language) => {
    const { sha256, files } = treeDigest(join(folder, language));
    return [
      language,
      { input: digest(common + treeDigest(join("sdks", language)).sha256), output: sha256, files },
    ] as const;
  });
  return {
    generator: GENERATOR,
    contracts: { version, sha256: digest(text) },
    sdks: Object.fromEntries(sdks) as Manifest["sdks"],
  };
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;
