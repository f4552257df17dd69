import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packTar } from "modern-tar";

/** Languages that an SDK is offered in. */
export const SDK_LANGUAGES = ["typescript", "python", "go", "java"] as const;

export type SdkLanguage = (typeof SDK_LANGUAGES)[number];

const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "sdk");
/**
 * Files that a language's tools write into the folder of a package that is built or installed there, as the SDKs'
 * READMEs say. No check reads them, and .gitignore has the same names. Paths are relative to the package's folder.
 */
const BUILD_PRODUCTS: Readonly<Record<SdkLanguage, RegExp>> = {
  typescript: /^(node_modules|package-lock\.json|[^/]+\.tgz)(\/|$)/,
  python: /^(build|dist|\.?venv|[^/]+\.egg-info)(\/|$)|(^|\/)__pycache__(\/|$)/,
  go: /^vendor(\/|$)/,
  java: /^target(\/|$)/,
};

export const isBuildProduct = (language: SdkLanguage, path: string): boolean => BUILD_PRODUCTS[language].test(path);

/** Everything about a file but its name and content is the same for all: the bytes follow from the files alone. */
const SAME = {
  type: "file",
  mode: 0o644,
  uid: 0,
  gid: 0,
  uname: "",
  gname: "",
  // Some packagers refuse what is from before 1980.
  mtime: new Date(Date.UTC(2020, 0, 1)),
} as const;

/** The SDK of one language as a tar archive (POSIX.1), compressed. The same files give the same bytes. */
export async function sdkArchive(language: SdkLanguage): Promise<Buffer> {
  const folder = join(FOLDER, language);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !isBuildProduct(language, path))
    .toSorted();
  const files = await Promise.all(
    paths.map(async (path) => {
      const body = await readFile(join(folder, path));
      return { header: { ...SAME, name: `gatehouse-sdk-${language}/${path}`, size: body.length }, body };
    }),
  );
  return promisify(gzip)(await packTar(files), { level: 9 });
}
