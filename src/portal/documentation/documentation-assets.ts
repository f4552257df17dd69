import { join } from "node:path";
import { COLOURS, readAsset } from "#runtime/pages/assets.ts";

const GENERATED = join(import.meta.dirname, "..", "..", "..", "generated", "docs");
const SCRIPT = "text/javascript; charset=utf-8";

/** Files that the pages of the documentation load besides the icon; read once, at start. */
export const documentationAssets = {
  stylesheet: readAsset("text/css; charset=utf-8", COLOURS, join(import.meta.dirname, "documentation.css")),
  /** Our own script: fetches the contract and has Redoc draw it. */
  script: readAsset(SCRIPT, join(import.meta.dirname, "documentation.js")),
  /** Redoc, in one file. */
  renderer: readAsset(SCRIPT, join(GENERATED, "redoc.js")),
};
