import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One published file. */
export interface PublishedContract {
  readonly type: "application/json" | "application/yaml";
  readonly body: string;
  /** Strong: a digest of the body (RFC 9110 §8.8.3). */
  readonly entityTag: string;
  /** `info.version` of the contract. */
  readonly version: string;
  /** Of the body, in hex. */
  readonly sha256: string;
}

/** What generated/contracts/index.json says of a file. */
interface Listed {
  readonly file: string;
  readonly version: string;
}

const INDEX = "index.json";
const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "contracts");

/** The contracts that this server enforces with what belongs to them, by file name, the list itself included; read once, at start. */
export function readPublishedContracts(): ReadonlyMap<string, PublishedContract> {
  const index = JSON.parse(readFileSync(join(FOLDER, INDEX), "utf8")) as {
    readonly version: string;
    readonly files: readonly Listed[];
  };
  return new Map(
    [{ file: INDEX, version: index.version }, ...index.files].map((listed) => [listed.file, readContract(listed)]),
  );
}

function readContract({ file, version }: Listed): PublishedContract {
  const body = readFileSync(join(FOLDER, file), "utf8");
  const digest = createHash("sha256").update(body).digest();
  return {
    type: file.endsWith(".json") ? "application/json" : "application/yaml",
    body,
    entityTag: `"${digest.toString("base64url").slice(0, 27)}"`,
    version,
    sha256: digest.toString("hex"),
  };
}

/** The addresses of one contract, for links. */
export const contractLinks = (name: string): { readonly yaml: string; readonly json: string } => ({
  yaml: `/contracts/${name}.yaml`,
  json: `/contracts/${name}.json`,
});
