import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** A file that the pages load. Its name changes with its content, so browsers may keep it for a year. */
export interface Asset {
  /** Where the page finds it: an absolute path on its own origin. */
  readonly href: string;
  /** The last part of `href`. */
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: string;
}

/** The two files that pages load, read once, at start. */
export const assets = {
  stylesheet: readAsset("gatehouse.css", "text/css; charset=utf-8"),
  icon: readAsset("gatehouse.svg", "image/svg+xml"),
} satisfies Record<string, Asset>;

function readAsset(source: string, mediaType: string): Asset {
  const body = readFileSync(join(import.meta.dirname, source), "utf8");
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  const extension = extname(source);
  const fileName = `${source.slice(0, -extension.length)}-${digest}${extension}`;
  return { href: `/assets/${fileName}`, fileName, mediaType, body };
}
