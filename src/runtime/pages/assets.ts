import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** A file that the pages load. Its name changes with its content, so browsers may keep it for a year. */
export interface Asset {
  /** Its address: an absolute path on the page's origin. */
  readonly href: string;
  /** The last part of `href`. */
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: string;
}

/** Colours and fonts; they precede every stylesheet. */
const COLOURS = join(import.meta.dirname, "colours.css");

/** A comment of a stylesheet, with what separates it from the next rule. No text in our stylesheets has its beginning. */
const CSS_COMMENT = /\/\*[\s\S]*?\*\/\s*/g;

/** The stylesheet and the icon of every page, and the script of some; read once, at start. */
export const assets = {
  stylesheet: readAsset("text/css; charset=utf-8", COLOURS, join(import.meta.dirname, "gatehouse.css")),
  icon: readAsset("image/svg+xml", join(import.meta.dirname, "gatehouse.svg")),
  script: readAsset("text/javascript; charset=utf-8", join(import.meta.dirname, "gatehouse.js")),
} satisfies Record<string, Asset>;

/** The files joined to one, under the last one's name and a digest. Comments of stylesheets are for us alone, and weigh a tenth. */
export function readAsset(mediaType: string, ...sources: readonly string[]): Asset {
  const text = sources.map((source) => readFileSync(source, "utf8")).join("\n");
  const body = mediaType.startsWith("text/css") ? text.replaceAll(CSS_COMMENT, "") : text;
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  const name = basename(sources.at(-1) ?? "");
  const extension = extname(name);
  const fileName = `${name.slice(0, -extension.length)}-${digest}${extension}`;
  return { href: `/assets/${fileName}`, fileName, mediaType, body };
}
