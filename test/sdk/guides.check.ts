import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guides } from "../../src/portal/guides/published-guides.ts";
import { type CodeBlock, codeBlocks } from "../../tools/guides/code-blocks.ts";
import { follow, followAtRoot } from "../portal/guides/support/following.ts";
import { openPlace, type Place, VISITOR } from "../portal/guides/support/place.ts";
import { Reader } from "../portal/guides/support/reader.ts";
import { call } from "../support/http.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { TOOLCHAINS } from "./toolchains.ts";

/** Installing and compiling, with nothing cached, on a busy machine. */
const BLOCK_MS = 600_000;
const NAMES: Readonly<Record<string, string>> = { typescript: "TypeScript", python: "Python", go: "Go", java: "Java" };

const written = (name: string): readonly CodeBlock[] =>
  codeBlocks(readFileSync(join("generated", "docs", "guides", `${name}.md`), "utf8"));

describe.each(TOOLCHAINS)("the guides, followed in $language (R-X190)", ({ language, missing }) => {
  const chosen = NAMES[language];
  // What is for every reader is run too: a language's blocks may need it.
  const isOf = (block: CodeBlock): boolean => block.language === undefined || block.language === chosen;
  const theirs = guides().filter(({ languages }) => languages.some((one) => one === chosen));

  // In one folder and with one installation, in the order of the menus: what a guide installs or saves must not undo what an earlier one did.
  describeWith({ name: `the toolchain of ${language}`, missing: missing() }, "one after another, block by block", () =>
    withScope((closeLater) => {
      let place: Place;
      let reader: Reader;
      beforeAll(async () => {
        place = await openPlace(closeLater);
        reader = await Reader.begin(place.handOver, place.gatehouse.dataDirectory);
        closeLater(() => reader.end());
      });

      describe.each(theirs.map(({ name }) => ({ name })))("$name", ({ name }) => {
        let served: readonly CodeBlock[];
        beforeAll(async () => {
          served = codeBlocks((await call(place.gatehouse.url, `/docs/guides/${name}.md`)).text);
        });

        const blocks = written(name)
          .map((block, index) => ({ index, block, begins: block.text.split("\n", 1)[0] }))
          .filter(({ block }) => isOf(block));

        it.each(blocks)(
          "$index: $begins",
          async ({ index }) => {
            const ran = await follow(served[index] as CodeBlock, reader, place, isOf);
            expect(ran.silent).toEqual([]);
            expect(ran.output).toContain(ran.shows);
            expect(ran.visit).toEqual({ shown: expect.stringContaining(VISITOR), iconStatus: 404 });
            expect(ran.status).toBe(0);
          },
          BLOCK_MS,
        );

        if (name === "quickstart")
          it(
            "signs a person in where the redirect URI is the first page of the program, too",
            async () => {
              const { output, shows, visit } = await followAtRoot(served, reader, place, isOf);
              expect(output).toContain(shows);
              expect(visit).toEqual({ shown: expect.stringContaining(VISITOR), iconStatus: 404 });
            },
            BLOCK_MS,
          );
      });
    }),
  );
});
