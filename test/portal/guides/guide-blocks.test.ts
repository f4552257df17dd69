import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { type CodeBlock, codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { openPlace, type Place } from "./support/place.ts";
import { Reader } from "./support/reader.ts";

/** Those of other languages are run with their toolchains: test/sdk/guides.check.ts. */
const HERE: ReadonlySet<string | undefined> = new Set([undefined, "curl", "openssl", "TypeScript"]);

const written = (name: string): readonly CodeBlock[] =>
  codeBlocks(readFileSync(join("generated", "docs", "guides", `${name}.md`), "utf8"));

const cases = guides()
  .map(({ name }) => name)
  .map((name) => ({ name, blocks: written(name).map(({ text }, index) => ({ index, begins: text.slice(0, 70) })) }));

describe.each(cases)("the blocks of $name, as printed (R-X190)", ({ name, blocks }) =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let served: readonly CodeBlock[];
    beforeAll(async () => {
      place = await openPlace(closeLater);
      reader = await Reader.begin(place.handOver, place.gatehouse.dataDirectory);
      closeLater(() => reader.end());
      served = codeBlocks((await call(place.gatehouse.url, `/docs/guides/${name}.md`)).text);
    });

    it.each(blocks)("$index: $begins", async ({ index }) => {
      const block = served[index] as CodeBlock;
      const runs = block.notRun === undefined && HERE.has(block.language);
      const emptied = runs && block.file === undefined ? [...(await reader.followWithout(block))] : [];
      const silent = emptied.filter(
        ([value, { status, output }]) => status === 0 || !output.includes(`set ${value} to`),
      );
      const { status, output } = runs ? await reader.follow(block) : { status: 0, output: block.shows ?? "" };
      expect(silent).toEqual([]);
      expect(output).toContain(block.shows ?? block.stays ?? "");
      expect(status).toBe(0);
    });
  }),
);
