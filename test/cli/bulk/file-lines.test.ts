import { type FileHandle, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { behindLine, fileLines } from "../../../src/cli/bulk/file-lines.ts";
import { importIdOf } from "../../../src/cli/bulk/import.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";

const BEGINNING = { lastNumber: 0, endOffset: 0 };
const TOO_LONG = "The line is longer than 1 MiB.";
const NOT_UTF8 = "The line is not UTF-8. Save the file in that encoding.";

describe("the lines of a file", () => {
  withScope((closeLater) => {
    const fileOf = async (content: string | Buffer) => {
      const folder = newFolder("gh-lines-");
      await writeFile(join(folder, "file"), content);
      const file = await open(join(folder, "file"));
      closeLater(() => file.close());
      return file;
    };
    const linesIn = async (file: FileHandle, position = BEGINNING) => {
      const lines: (readonly [number, number, string])[] = [];
      for await (const { number, endOffset, json, unreadable } of fileLines(file, position))
        lines.push([number, endOffset, unreadable ?? json]);
      return lines;
    };
    const linesOf = async (content: string | Buffer, position = BEGINNING) => linesIn(await fileOf(content), position);

    it.each<[string, string | Buffer, (readonly [number, number, string])[]]>([
      ["nothing", "", []],
      [
        "LF",
        "a\nb\n",
        [
          [1, 2, "a"],
          [2, 4, "b"],
        ],
      ],
      [
        "no LF at the end: the line is there all the same",
        "a\nb",
        [
          [1, 2, "a"],
          [2, 3, "b"],
        ],
      ],
      [
        "CR LF",
        "a\r\nb\r\n",
        [
          [1, 3, "a"],
          [2, 6, "b"],
        ],
      ],
      ["empty lines: numbered, left out", "\n \na\n\n", [[3, 5, "a"]]],
      [
        "a byte order mark",
        "\uFEFFa\n\uFEFFb\n",
        [
          [1, 5, "a"],
          [2, 10, "\uFEFFb"],
        ],
      ],
      [
        "bytes that are no UTF-8",
        Buffer.from("61 0a ff 0a 62 0a".replaceAll(" ", ""), "hex"),
        [
          [1, 2, "a"],
          [2, 4, NOT_UTF8],
          [3, 6, "b"],
        ],
      ],
      [
        "half a character at the end",
        Buffer.from("610ac3", "hex"),
        [
          [1, 2, "a"],
          [2, 3, NOT_UTF8],
        ],
      ],
      [
        "characters of several bytes",
        "ä\n€\n😀",
        [
          [1, 3, "ä"],
          [2, 7, "€"],
          [3, 11, "😀"],
        ],
      ],
    ])("%s", async (_, content, expected) => {
      expect(await linesOf(content)).toEqual(expected);
    });

    it("are kept up to 1 MiB; longer ones are dropped", async () => {
      const [just, over, far] = [1024 * 1024, 1024 * 1024 + 1, 20 * 1024 * 1024];
      const lines = await linesOf([just, over, far, 1].map((length) => `${"x".repeat(length)}\n`).join(""));
      expect(lines.map(([number, , text]) => [number, text.length > 100 ? text.length : text])).toEqual([
        [1, just],
        [2, TOO_LONG],
        [3, TOO_LONG],
        [4, "x"],
      ]);
    });

    it("continue after a position, wherever a block of reading ended", async () => {
      const content = Array.from({ length: 30_000 }, (__, index) => `${"ö".repeat(index % 40)}${index}\n`).join("");
      const all = await linesOf(content);
      expect(all.map(([, , text]) => text)).toEqual(content.trimEnd().split("\n"));
      const [lastNumber, endOffset] = all[17_000] ?? [0, 0];
      expect(await linesOf(content, { lastNumber, endOffset })).toEqual(all.slice(17_001));
    });

    it.each<[string, string, number, number, number | undefined]>([
      ["the beginning", "a\nb\n", 0, 0, 0],
      ["behind a line", "a\nb\n", 1, 2, 2],
      ["behind a line, before an empty one", "a\n\nb\n", 1, 2, 2],
      ["behind an empty line", "a\n\nb\n", 2, 3, 3],
      ["at the end of a file without LF", "a\nb", 2, 3, 3],
      ["at that end, and LF came behind it", "a\nb\nc", 2, 3, 4],
      ["at that end, and CR LF came behind it", "a\nb\r\nc", 2, 3, 5],
      ["at that end, which was CR, and LF came behind it", "a\nb\r\nc", 2, 4, 5],
      ["at that end, and CR alone came behind it", "a\nb\r", 2, 3, 4],
      ["at that end, and more of the line came behind it", "a\nbc\n", 2, 3, undefined],
      ["at that end, and more of the line came behind it, after CR", "a\nb\rc\n", 2, 3, undefined],
      ["within a line", "aaaa\nb\n", 1, 2, undefined],
      ["behind a line of another number", "a\nb\nc\n", 1, 4, undefined],
      ["at the end of a line of another number", "a\nb\nc\n", 1, 3, undefined],
      ["behind the end of the file", "a\nb\n", 3, 6, undefined],
      ["at the beginning, for a later line", "a\nb\n", 1, 0, undefined],
    ])("end at a position, or do not: %s (R-X430)", async (_, content, lastNumber, endOffset, behind) => {
      const expected = behind === undefined ? undefined : { lastNumber, endOffset: behind };
      expect(await behindLine(await fileOf(content), { lastNumber, endOffset })).toEqual(expected);
    });

    it("are the same ones behind every line of an earlier, shorter file as in the whole, if it has that line (R-X430)", async () => {
      const pieces = fc.array(fc.constantFrom("a", "b", " ", "\n", "\r\n"), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(pieces, fc.nat(12), async (parts, cut) => {
          const whole = parts.join("");
          const begun = whole.slice(0, cut);
          const file = await fileOf(whole);
          const all = await linesIn(file);
          const results = await Promise.all(
            (await linesOf(begun)).map(async ([lastNumber, endOffset, text]) => {
              const behind = await behindLine(file, { lastNumber, endOffset });
              const rest = behind && (await linesIn(file, behind));
              const has = all.some(([number, , same]) => number === lastNumber && same === text);
              return [rest, has ? all.filter(([number]) => number > lastNumber) : undefined];
            }),
          );
          expect(results.map(([actual]) => actual)).toEqual(results.map(([, expected]) => expected));
        }),
        { numRuns: 300 },
      );
    });

    it("belong to an import that is named after the file: other content, another name", async () => {
      const [one, other] = [await fileOf("a\n"), await fileOf("b\n")];
      expect(await importIdOf(one)).toMatch(/^file-[0-9a-f]{32}$/);
      expect(await importIdOf(one)).toBe(await importIdOf(one));
      expect(await importIdOf(one)).not.toBe(await importIdOf(other));
    });
  });
});
