import { globSync, readFileSync } from "node:fs";
import { Lexer, type Token } from "marked";

/** Papers are read in terminals and as changes: a line of prose has at most so many characters (CONTRIBUTING.md). */
const WIDTH_MAX = 100;

/** Written by tools, or not ours. */
const OTHERS = ["node_modules/**", "**/node_modules/**", "generated/**", "site/**", "coverage/**", "sdks/*/overlay/**"];

/** Lines that a tool writes between markers have the length of what they name. */
const withoutGenerated = (text: string): string => text.replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, "");

const blocksOf = (token: Token): readonly Token[] =>
  token.type === "list"
    ? (token.items as Token[]).flatMap(blocksOf)
    : token.type === "list_item" || token.type === "blockquote"
      ? (token.tokens ?? []).flatMap(blocksOf)
      : [token];

/** Lines of paragraphs and list items that could be broken and are too long. Code, drawings and tables are as they are. */
const longLines = (markdown: string): readonly string[] =>
  Lexer.lex(withoutGenerated(markdown))
    .flatMap(blocksOf)
    .filter(({ type }) => type === "paragraph" || type === "text")
    .flatMap(({ raw }) => raw.split("\n"))
    .filter(
      (line) => line.length > WIDTH_MAX && /^\S.* /.test(line.replace(/^(?:[-*]|\d+\.) /, "").slice(0, WIDTH_MAX)),
    );

describe("prose", () => {
  const papers = globSync("**/*.md", { exclude: OTHERS });

  it("is wrapped at 100 characters in every paper", () => {
    expect(papers).toContain("README.md");
    expect(papers.length).toBeGreaterThan(100);
    const found = papers.flatMap((file) => longLines(readFileSync(file, "utf8")).map((line) => `${file}: ${line}`));
    expect(found).toEqual([]);
  });

  it.each([
    ["a paragraph", `${"word ".repeat(25)}`, 1],
    ["an item of a list", `- short\n- ${"word ".repeat(25)}`, 1],
    ["an item of a list in a list", `- short\n  - ${"word ".repeat(25)}`, 1],
    ["a quotation", `> ${"word ".repeat(25)}`, 1],
    ["an address that cannot be broken", `https://gatehouse.example/${"x".repeat(120)}`, 0],
    ["a table", `| a |\n| --- |\n| ${"word ".repeat(25)} |`, 0],
    ["code", `\`\`\`\n${"word ".repeat(25)}\n\`\`\``, 0],
    ["a drawing", `    ${"word ".repeat(25)}`, 0],
    ["what a tool has written", `<!-- tests -->\n${"word ".repeat(25)}\n<!-- /tests -->`, 0],
  ])("of %s that is too long is found or left", (_, markdown, count) => {
    expect(longLines(markdown)).toHaveLength(count);
  });
});
