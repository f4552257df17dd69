import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { assertJava, Missing } from "./sdks/generator.ts";
import { LANGUAGES } from "./sdks/languages.ts";
import { documentText, filesOf, type Manifest, manifestOf, SDK_FOLDER } from "./sdks/manifest.ts";

/**
 * Fails when the SDKs are not what `make sdks` would make: first by the manifest's digests, which takes no time and no Java, then by making
 * them again and comparing every byte, where Java is there. In CI it must be. Usage: node tools/verify-sdks.ts
 */

const AGAIN = join(".cache", "verify", "sdk");

function departures(): readonly string[] {
  const written = JSON.parse(readFileSync(join(SDK_FOLDER, "manifest.json"), "utf8")) as Manifest;
  const now = manifestOf(SDK_FOLDER);
  const found: string[] = [];
  if (written.version !== now.version)
    found.push(`made as version ${written.version}, and package.json has ${now.version}`);
  if (!isDeepStrictEqual(written.generator, now.generator)) found.push("made with another generator");
  if (written.contracts.sha256 !== now.contracts.sha256) found.push("made from other contracts");
  if (readFileSync(join(SDK_FOLDER, "openapi.json"), "utf8") !== documentText())
    found.push("openapi.json is another document");
  for (const language of LANGUAGES) {
    if (written.sdks[language].input !== now.sdks[language].input)
      found.push(`${language}: sdks/${language} was changed since`);
    if (written.sdks[language].output !== now.sdks[language].output)
      found.push(`${language}: files were changed by hand`);
  }
  return found;
}

/** @throws Missing without Java, where nothing can be made again. */
function madeAgain(): readonly string[] {
  assertJava();
  rmSync(AGAIN, { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/sdks.ts", AGAIN], { encoding: "utf8" });
  if (status !== 0) return [`tools/sdks.ts: ${stderr}`];
  if (stdout.includes("not regenerated")) throw new Missing(stdout.trim());
  return LANGUAGES.flatMap((language) => {
    const [made, kept] = [AGAIN, SDK_FOLDER].map((folder) => new Map(filesOf(language, join(folder, language))));
    const paths = new Set([...(made?.keys() ?? []), ...(kept?.keys() ?? [])]);
    return [...paths]
      .filter((path) => made?.get(path) !== kept?.get(path))
      .map((path) => `${language}/${path} is not what is made`);
  });
}

function compared(): readonly string[] {
  try {
    const found = madeAgain();
    console.log("SDKs: regenerated and compared.");
    return found;
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    if (process.env.CI !== undefined) return [`${error.message}; in CI nothing may be missing`];
    console.log(`SDKs: compared with their manifest only: ${error.message}.`);
    return [];
  }
}

const byManifest = departures();
const found = byManifest.length > 0 ? byManifest : compared();
for (const line of found) console.error(`${SDK_FOLDER}: ${line}`);
if (found.length > 0) {
  console.error("The SDKs differ. Run 'make sdks' and commit what it changes.");
  process.exitCode = 1;
}
