import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { operationsOf } from "../../tools/sdks/merged-document.ts";
import { sdkDocument } from "../../tools/sdks/sdk-document.ts";
import { CASES } from "../conformance/cases.ts";
import { type Installations, openInstallations } from "../conformance/installations.ts";
import type { Command } from "../conformance/sdk-driver.ts";
import { type SdkSubject, startSdkSubject } from "../conformance/sdk-subject.ts";
import { NotApplicable } from "../conformance/set-up.ts";
import { setUpOf } from "../conformance/set-ups.ts";
import { Column } from "../conformance/table.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { doorScenarios } from "./door-scenarios.ts";
import { javaScenarios } from "./java-scenarios.ts";
import { publicKeyScenarios } from "./public-key-scenarios.ts";
import { readmePrograms } from "./readme-programs.ts";
import { type Installed, TOOLCHAINS } from "./toolchains.ts";
import { turnScenarios } from "./turn-scenarios.ts";

/** Installing and compiling, with nothing cached, on a busy machine. */
const PREPARE_MS = 600_000;
const OWN_SCENARIOS_MS = 120_000;

const operations = new Set(
  Object.values(sdkDocument().paths).flatMap((item) => operationsOf(item).map(([, { operationId }]) => operationId)),
);
const cases = CASES.filter(({ operationId }) => operations.has(operationId));

/** What is shown of one language alone. */
const FURTHER: Readonly<Record<string, (driver: () => Command) => void>> = { java: javaScenarios };

describe.each(TOOLCHAINS)("the SDK in $language", (toolchain) => {
  const { language } = toolchain;
  describeWith({ name: `the toolchain of ${language}`, missing: toolchain.missing() }, "installed", () => {
    let installed: Installed;
    beforeAll(async () => {
      installed = await toolchain.prepare();
    }, PREPARE_MS);

    describe("every operation × declared answer × example", () => {
      withScope((closeLater) => {
        const column = new Column(language);
        let installations: Installations;
        let subject: SdkSubject;
        beforeAll(async () => {
          installations = await openInstallations(closeLater);
          subject = await startSdkSubject(closeLater, installed.driver, installations);
        }, 120_000);
        afterAll(() => column.write());

        it.each(cases)("$name", async (one) => {
          const { sdk } = await setUpOf(one, installations);
          const departures = sdk instanceof NotApplicable ? [] : await subject.ask(one, sdk);
          column.noteResult(one, sdk, departures);
          expect(departures).toEqual([]);
        });
      });
    });

    describe("the hand-written layer", () => {
      doorScenarios(() => installed.driver);
      publicKeyScenarios(() => installed.driver);
      turnScenarios(() => installed.driver);
      for (const scenarios of toolchain.ownScenarios ?? [])
        it(
          `holds what is promised for ${language} alone: ${scenarios}`,
          async () => {
            const { file, cwd } = installed.driver;
            const env = {
              ...process.env,
              GATEHOUSE_VECTORS: resolve("generated", "contracts", "webhooks.vectors.json"),
            };
            const { stderr } = await promisify(execFile)(file, [scenarios], { cwd, env });
            expect(stderr).toMatch(/^OK$/m);
          },
          OWN_SCENARIOS_MS,
        );
      FURTHER[language]?.(() => installed.driver);
    });

    describe("the programs of its README", () => readmePrograms(() => installed.programs));
  });
});
