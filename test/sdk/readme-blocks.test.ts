import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SDK_FOLDER } from "../../tools/sdks/manifest.ts";
import { newFolder } from "../support/folder.ts";
import { blocksOf } from "./readme-blocks.ts";

const blocksIn = (text: string) => {
  const folder = newFolder("gh-readme-");
  writeFileSync(join(folder, "README.md"), text);
  return blocksOf(folder);
};

describe("the code blocks of an SDK's README", () => {
  it.each([
    ["typescript", "ts", ["sh"]],
    ["python", "python", ["sh"]],
    ["go", "go", ["sh"]],
    ["java", "java", ["sh", "xml"]],
  ])("are commands and four named programs in %s", (language, word, others) => {
    const blocks = blocksOf(join(SDK_FOLDER, language));
    const programs = blocks.filter((block) => block.language === word).map(({ name }) => name);
    expect(programs).toEqual(["read", "errors", "receive", "sign-in"]);
    expect(new Set(blocks.map((block) => block.language))).toEqual(new Set([...others, word]));
  });

  it("are taken literally", () => {
    expect(blocksIn("Text\n\n```ts read\nconst a = `1`;\n```\n\n```sh\nls\n```\n")).toEqual([
      { language: "ts", name: "read", text: "const a = `1`;\n" },
      { language: "sh", name: "", text: "ls\n" },
    ]);
  });

  it.each([
    ["a name", "```ts\nlet a;\n```\n"],
    ["a language", "```\nlet a;\n```\n"],
  ])("are refused without %s, since no test could run them", (what, text) => {
    expect(() => blocksIn(text)).toThrow(`without ${what}`);
  });
});
