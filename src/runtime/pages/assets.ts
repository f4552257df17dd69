import { hash } from "node:crypto";
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

/** A comment of a stylesheet, with what separates it from the next rule. No text in our stylesheets has its beginning. */
const CSS_COMMENT = /\/\*[\s\S]*?\*\/\s*/g;

/** The files of a folder joined to one of that name. Comments of stylesheets are for us alone, and weigh a tenth. */
export function readStylesheet(name: string, folder: string, files: readonly string[]): Asset {
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  return assetOf("text/css; charset=utf-8", name, text.replaceAll(CSS_COMMENT, ""));
}

const readAsset = (mediaType: string, name: string): Asset =>
  assetOf(mediaType, name, readFileSync(join(import.meta.dirname, name), "utf8"));

function assetOf(mediaType: string, name: string, body: string): Asset {
  const digest = hash("sha256", body, "hex").slice(0, 12);
  const extension = extname(name);
  const fileName = `${basename(name, extension)}-${digest}${extension}`;
  return { href: `/assets/${fileName}`, fileName, mediaType, body };
}

/** The stylesheet and the icon of every page, and the script of some; read once, at start. */
export const assets = {
  // In this order: a later rule counts where two of one weight are about the same thing.
  stylesheet: readStylesheet("gatehouse.css", import.meta.dirname, [
    "colours.css",
    "words.css",
    "forms.css",
    "door.css",
    "court.css",
    "hall.css",
    "closed-gate.css",
    "paper.css",
  ]),
  icon: readAsset("image/svg+xml", "gatehouse.svg"),
  script: readAsset("text/javascript; charset=utf-8", "gatehouse.js"),
} satisfies Record<string, Asset>;
