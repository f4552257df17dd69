import type { Language } from "./languages.ts";

/**
 * Files that a language's tools write into the folder of a package that is built or installed there, as the SDKs'
 * READMEs say. No check reads them, and .gitignore has the same names. Paths are relative to the package's folder.
 */
const BUILD_PRODUCTS: Readonly<Record<Language, RegExp>> = {
  typescript: /^(node_modules|package-lock\.json|[^/]+\.tgz)(\/|$)/,
  python: /^(build|dist|\.?venv|[^/]+\.egg-info)(\/|$)|(^|\/)__pycache__(\/|$)/,
  go: /^vendor(\/|$)/,
  java: /^target(\/|$)/,
};

export const isBuildProduct = (language: Language, path: string): boolean => BUILD_PRODUCTS[language].test(path);
