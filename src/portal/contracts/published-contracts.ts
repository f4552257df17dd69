import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One published file. */
interface PublishedContract {
  readonly type: "application/json" | "application/yaml" | "text/plain";
  /** In UTF-8. A text would be twice as large in memory for one character beyond Latin-1. */
  readonly body: Buffer;
  /** Strong: a digest of the body (RFC 9110 §8.8.3). */
  readonly entityTag: string;
  /** `info.version` of the contract. */
  readonly version: string;
  /** Of the body, in hex. */
  readonly sha256: string;
}

/** Public addresses of an installation; both are origins. */
export interface Servers {
  readonly issuer: string;
  readonly gatewayUrl: string;
}

/** generated/contracts/index.json: every file with the version of its contract, its size and its digest. */
interface Index {
  readonly version: string;
  readonly files: readonly {
    readonly file: string;
    readonly contract: string;
    readonly version: string;
    readonly bytes: number;
    readonly sha256: string;
  }[];
}

const INDEX = "index.json";
const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "contracts");
/** Placeholder in the bundles, in `servers` and in examples, for the installation that publishes them. */
export const SOME_INSTALLATION = "http://localhost:8080";

/**
 * The published contracts and the files that belong to them, by file name, the list itself included. They name the
 * installation that publishes them (R-X171), so sizes and digests differ between installations. Made once, at start.
 */
export function publishedContracts({ issuer, gatewayUrl }: Servers): ReadonlyMap<string, PublishedContract> {
  const index = JSON.parse(readFileSync(join(FOLDER, INDEX), "utf8")) as Index;
  const contracts = new Map(
    index.files.map(({ file, contract, version }) => {
      const server = contract === "sign-on" ? issuer : gatewayUrl;
      const body = readFileSync(join(FOLDER, file), "utf8").replaceAll(SOME_INSTALLATION, () => server);
      return [file, published(file, version, body)];
    }),
  );
  const files = index.files.map((listed) => {
    const { body, sha256 } = contracts.get(listed.file) ?? {};
    return { ...listed, bytes: body?.byteLength, sha256 };
  });
  const list = `${JSON.stringify({ ...index, files }, null, 2)}\n`;
  return new Map([[INDEX, published(INDEX, index.version, list)], ...contracts]);
}

function published(file: string, version: string, text: string): PublishedContract {
  const body = Buffer.from(text);
  const digest = hash("sha256", body, "buffer");
  return {
    type: typeOf(file),
    body,
    entityTag: `"${digest.toString("base64url").slice(0, 27)}"`,
    version,
    sha256: digest.toString("hex"),
  };
}

function typeOf(file: string): PublishedContract["type"] {
  if (file.endsWith(".proto")) return "text/plain";
  return file.endsWith(".json") ? "application/json" : "application/yaml";
}

/** The addresses of one contract, for links. */
export const contractLinks = (name: string): { readonly yaml: string; readonly json: string } => ({
  yaml: `/contracts/${name}.yaml`,
  json: `/contracts/${name}.json`,
});
