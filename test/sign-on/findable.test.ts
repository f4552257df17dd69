import { readFileSync } from "node:fs";
import { titlesIn } from "../../tools/papers/test-titles.ts";

const titles = titlesIn("test/**/*.test.ts");
const numbers = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
/** Titles in which the words stand by themselves: `S1` is neither in S10 nor in R-S1. */
const namedBy = (words: string) => titles.filter(({ title }) => new RegExp(`(?<![-\\w])${words}(?!\\d)`).test(title));

/** What the security best current practice (RFC 9700) and our own list ask of sign-on: each is shown by a test that names its number. */
describe("what sign-on is judged by is found in the tests by its number", () => {
  it.each(numbers(40))("RFC 9700, number %d of forty", (number) => {
    expect(namedBy(`RFC 9700 statement ${number}`)).not.toEqual([]);
  });

  it.each(numbers(36))("security, number %d of thirty-six", (number) => {
    expect(namedBy(`S${number}`)).not.toEqual([]);
  });

  it("RFC 9700: each of the forty has its sentence in docs/rfc-9700.md", () => {
    const page = readFileSync("docs/rfc-9700.md", "utf8");
    const statements = [...page.matchAll(/^(\d+)\. <a id="statement-(\d+)"><\/a>[A-Z`]/gm)].map(([, ...both]) =>
      both.map(Number),
    );
    expect(statements).toEqual(numbers(40).map((number) => [number, number]));
  });

  it("reports a number that no test names", () => {
    expect([namedBy("RFC 9700 statement 41"), namedBy("S360")]).toEqual([[], []]);
  });
});
