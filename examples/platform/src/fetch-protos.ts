import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Downloads the protos that a Gatehouse publishes for platforms, and keeps them only if their digests are those of its
 * list. Usage: node src/fetch-protos.ts <address of Gatehouse> [folder], by default `protos`.
 */

interface Listed {
  readonly file: string;
  readonly contract: string;
  readonly version: string;
  readonly sha256: string;
}

const [address, folder = "protos"] = process.argv.slice(2);

async function download(path: string): Promise<string> {
  const response = await fetch(new URL(path, address), { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  return response.text();
}

async function fetchProtos(): Promise<void> {
  const { files } = JSON.parse(await download("/contracts/index.json")) as { readonly files: readonly Listed[] };
  await mkdir(folder, { recursive: true });
  for (const { file, version, sha256 } of files.filter(({ contract }) => contract === "platform")) {
    if (file !== basename(file)) throw new Error(`its list names ${file}, which would lie outside ${folder}`);
    const text = await download(`/contracts/${file}`);
    if (createHash("sha256").update(text).digest("hex") !== sha256)
      throw new Error(`${file} is not what the list says: download it again`);
    await writeFile(join(folder, file), text);
    console.log(`${join(folder, file)}, version ${version}`);
  }
}

if (address === undefined) {
  console.error("Say which Gatehouse publishes the protos: npm run protos -- http://localhost:8080");
  process.exitCode = 2;
} else {
  await fetchProtos().catch((error: Error) => {
    console.error(`The protos cannot be downloaded from ${address}: ${error.message}.`);
    process.exitCode = 1;
  });
}
