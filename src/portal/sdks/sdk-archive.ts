import { join } from "node:path";
import { filesBelow, packArchive } from "../archives.ts";

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

/** The SDK of one language as an archive. */
export async function sdkArchive(language: SdkLanguage): Promise<Buffer> {
  const files = await filesBelow(join(FOLDER, language));
  return packArchive(
    `gatehouse-sdk-${language}`,
    files.filter(({ path }) => !isBuildProduct(language, path)),
  );
}
