import { join } from "node:path";
import type { Command } from "./sdk-driver.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The driver of the SDK in TypeScript without an installation: the package lies compiled in the repository. */
export const TYPESCRIPT_HERE: Command = {
  file: process.execPath,
  args: [join(ROOT, "test", "sdk", "typescript", "driver.ts")],
  cwd: ROOT,
  env: {
    GATEHOUSE_SDK: join(ROOT, "generated", "sdk", "typescript", "dist", "gatehouse.js"),
    GATEHOUSE_SDK_DOCUMENT: join(ROOT, "generated", "sdk", "openapi.json"),
  },
};
