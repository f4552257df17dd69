import { globSync, readFileSync } from "node:fs";
import { checkOf, wordsOf } from "../../../src/sign-on/refusals/checks.ts";

/** The calls that refuse, with the sentence that they give: its variable parts are shown as one word. */
const REFUSING =
  /\b(oauthFailure|invalidGrant|refusal|RequestRefused|invalidToken|invalidRequest|invalidClient|oauthErrorBody|refuse)\(\s*(?:"([a-z_]+)",\s*)?(["`])([A-Za-z](?:(?!\3).)*)\3/g;

const OURS = ["server_error", "temporarily_unavailable"];

/** Every sentence that an error of sign-on's endpoints can carry, as the sources have it. */
const sentences = globSync("src/sign-on/**/*.ts")
  .filter((file) => !file.startsWith("src/sign-on/applications/") && !file.startsWith("src/sign-on/refusals/"))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(REFUSING)].map(([, , error = "", , sentence = ""]) => ({
      file,
      error,
      sentence: sentence.replaceAll(/\$\{[^}]*\}/g, "word"),
    })),
  )
  .filter(({ error, sentence }) => !OURS.includes(error) && sentence.endsWith("."));

describe("the checks that refuse", () => {
  it("are found in the sources", () => {
    expect(sentences.length).toBeGreaterThan(40);
  });

  it.each(sentences)("$file: “$sentence” has a name, and advice", ({ error, sentence }) => {
    const check = checkOf({ error, sentence });
    expect(check).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/);
    expect(check).not.toMatch(/^unnamed/);
    const { finding, advice } = wordsOf(check, sentence);
    expect([finding, advice]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/[.]$/)]);
  });

  it.each([
    ["invalid_client", "Authentication of the application failed.", "wrong secret", "application.secret_wrong"],
    ["invalid_client", "Authentication of the application failed.", "unknown application", "application.unknown"],
    ["invalid_token", "The access token is invalid or has expired.", "ERR_JWT_EXPIRED", "access_token.expired"],
    ["invalid_token", "The access token is invalid or has expired.", "something new", "access_token.invalid"],
    ["invalid_request", "Something that nobody has thought of.", undefined, "unnamed.invalid_request"],
  ])("%s: “%s” (%s) is %s", (error, sentence, detail, check) => {
    expect(checkOf({ error, sentence, detail })).toBe(check);
  });

  it("an unnamed one is told by what the answer said", () => {
    expect(wordsOf("unnamed.invalid_request", "It was said so.")).toEqual({
      finding: "It was said so.",
      advice: expect.stringContaining("/docs"),
    });
  });
});
