import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACTS, EVENTS_CONTRACT } from "./names.ts";
import { PLATFORM_CONTRACT, platformContract } from "./platform-protos.ts";

/** The published index: every published file with the version of its contract, its size and its digest. */
export function publishedIndex(folder: string, protos: readonly string[]): string {
  const infos = CONTRACTS.map((name) => {
    const { info } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as {
      readonly info: { readonly title: string; readonly version: string };
    };
    return { name, ...info };
  });
  const [{ version } = { version: "" }] = infos;
  const vectors = {
    name: EVENTS_CONTRACT,
    title: "Signed deliveries of every event type",
    version,
    file: "webhooks.vectors.json",
  };
  const files = [
    ...infos.flatMap((one) => [`${one.name}.yaml`, `${one.name}.json`].map((file) => ({ ...one, file }))),
    vectors,
    ...protos.map((file) => ({ name: PLATFORM_CONTRACT, title: platformContract().title, version, file })),
  ].map(({ name, title, version: of, file }) => {
    const bytes = readFileSync(join(folder, file));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { file, contract: name, title, version: of, bytes: bytes.length, sha256 };
  });
  return `${JSON.stringify({ title: "What this server publishes of its contracts", version, files }, null, 2)}\n`;
}
