import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One contract as one file in one format. */
export interface PublishedContract {
  readonly type: "application/json" | "application/yaml";
  readonly body: string;
  /** Strong: a digest of the body (RFC 9110 §8.8.3). */
  readonly entityTag: string;
}

const NAMES = ["sign-on", "gateway", "portal", "webhooks.asyncapi"] as const;
const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "contracts");

/** The contracts that this server enforces, by file name; read once, at start. */
export function readPublishedContracts(): ReadonlyMap<string, PublishedContract> {
  const files = NAMES.flatMap((name) => [`${name}.yaml`, `${name}.json`]);
  return new Map(files.map((file) => [file, readContract(file)]));
}

function readContract(file: string): PublishedContract {
  const body = readFileSync(join(FOLDER, file), "utf8");
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 27);
  return { type: file.endsWith(".json") ? "application/json" : "application/yaml", body, entityTag: `"${digest}"` };
}

/** The addresses of one contract, for links. */
export const contractLinks = (name: (typeof NAMES)[number]): { readonly yaml: string; readonly json: string } => ({
  yaml: `/contracts/${name}.yaml`,
  json: `/contracts/${name}.json`,
});
