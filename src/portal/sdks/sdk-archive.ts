import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

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

const BLOCK = 512;

/** The SDK of one language as a tar archive (POSIX.1 ustar), compressed. The same files give the same bytes. */
export async function sdkArchive(language: SdkLanguage): Promise<Buffer> {
  const folder = join(FOLDER, language);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !isBuildProduct(language, path))
    .toSorted();
  const files = await Promise.all(
    paths.map(async (path) => tarEntry(`gatehouse-sdk-${language}/${path}`, await readFile(join(folder, path)))),
  );
  return promisify(gzip)(Buffer.concat([...files, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/**
 * Header and content of one file.
 * @throws RangeError for a path of more than 100 bytes, which no SDK has.
 */
function tarEntry(path: string, content: Buffer): Buffer {
  if (Buffer.byteLength(path) > 100) throw new RangeError(`A tar header has no room for ${path}`);
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(octal(content.length), 124);
  // The same for all: the bytes follow from the files alone. Some packagers refuse what is from before 1980.
  header.write(octal(Date.UTC(2020, 0, 1) / 1000), 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

const octal = (value: number): string => `${value.toString(8).padStart(11, "0")}\0`;
