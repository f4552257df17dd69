import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { assertJava, generatorJar, Missing } from "./sdks/generator.ts";
import { assertFormatter, LANGUAGES, makeSdk } from "./sdks/languages.ts";
import { documentText, manifestOf, manifestText, SDK_FOLDER } from "./sdks/manifest.ts";

/**
 * Makes the SDKs from the published contracts and sdks/, with a manifest of their sources. SDKs that cannot be made on
 * this machine are reported and remain as they are in the repository. Usage: node tools/sdks.ts [folder], by default
 * `generated/sdk`.
 */

const {
  positionals: [target = SDK_FOLDER],
} = parseArgs({ allowPositionals: true });

try {
  assertJava();
  assertFormatter();
  const jar = generatorJar();
  mkdirSync(target, { recursive: true });
  const document = join(target, "openapi.json");
  rmSync(document, { force: true });
  writeFileSync(document, documentText());
  for (const language of LANGUAGES) {
    const before = performance.now();
    makeSdk(language, { jar, document, folder: join(target, language) });
    console.log(`${language}: made in ${((performance.now() - before) / 1000).toFixed(1)} s`);
  }
  writeFileSync(join(target, "manifest.json"), manifestText(manifestOf(target)));
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.log(`The SDKs are not regenerated: ${error.message}. Those in ${SDK_FOLDER} are unchanged.`);
}
