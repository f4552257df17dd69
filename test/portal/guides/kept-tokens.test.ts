import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { newFolder } from "../../support/folder.ts";

const GUIDE = join(import.meta.dirname, "..", "..", "..", "docs", "guides", "sign-people-in.md");
/** A line of a shell that takes one token out of the kept answer, by the name of its variable. */
const TAKES = /^(\w+)=\$\(sed .*tokens\.json\)$/;

const blocks = codeBlocks(readFileSync(GUIDE, "utf8")).filter(({ syntax }) => syntax === "sh");
const lines = blocks.flatMap(({ text }) => text.split("\n")).filter((line) => TAKES.test(line));

describe("the shell blocks of sign-people-in, which take tokens out of the file that the programs keep", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder("gh-kept-");
  });

  const taken = (line: string, kept: string): string => {
    writeFileSync(join(folder, "tokens.json"), kept);
    return execFileSync("sh", ["-c", `${line}; printf %s "$${TAKES.exec(line)?.[1]}"`], { cwd: folder }).toString();
  };

  it("are four: userinfo, a refresh, an introspection and a revocation", () => {
    expect(lines.map((line) => TAKES.exec(line)?.[1])).toEqual(["token", "refresh", "refresh", "refresh"]);
  });

  it.each([
    [
      "the token endpoint, TypeScript, Go and Java write it",
      '{"access_token":"good","refresh_token":"good","scope":"openid"}',
    ],
    ["Python's json.dumps writes it", '{"access_token": "good", "refresh_token": "good", "scope": "openid"}'],
  ])("read it as %s", (_writer, kept) => {
    for (const line of lines) expect(taken(line, kept)).toBe("good");
  });

  it("read nothing, not the whole file, where the token is missing", () => {
    for (const line of lines) expect(taken(line, '{"error": "invalid_grant"}')).toBe("");
  });
});
