import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Redoc's mark, wide and narrow, which it loads from its maker's host on every page. */
const REMOTE_IMAGES = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const EMPTY_IMAGE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/**
 * Redoc in one file that loads nothing from other hosts; it begins with its licence.
 * @throws Error when the package is not the reviewed version, so that an unreviewed one is never served.
 */
export function localRenderer(): string {
  const folder = join("node_modules", "redoc");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string };
  const script = readFileSync(join(folder, "bundles", "redoc.standalone.js"), "utf8");
  const found = script.match(REMOTE_IMAGES)?.length ?? 0;
  if (found !== 2) throw new Error(`redoc ${version} names ${found} remote images, not 2: check what it loads`);
  const licence = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  return `/*! Redoc ${version}\n\n${licence}\n*/\n${script.replaceAll(REMOTE_IMAGES, EMPTY_IMAGE)}`;
}
