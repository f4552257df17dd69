import fc from "fast-check";
import { countFound, shapesOf } from "./secret-shapes.ts";

const SECRET = "correct horse/battery+staple~ü";
const TOKEN = "fC-9hYx_0Qm3kZr7TgL1pWvNsUeBdAoJ";
const written: readonly (readonly [string, (text: Buffer) => string | Buffer])[] = [
  ["as it is", (text) => text],
  ["in hex", (text) => text.toString("hex")],
  ["in hex with capitals", (text) => text.toString("hex").toUpperCase()],
  ["in base64", (text) => text.toString("base64")],
  ["in base64url", (text) => text.toString("base64url")],
  ["percent-encoded", (text) => encodeURIComponent(text.toString())],
  ["as a form has it", (text) => new URLSearchParams({ password: text.toString() }).toString()],
];

describe("shapes of a secret", () => {
  it.each(written)("are found in a text that was written %s, wherever the secret is in it", (_, write) => {
    const property = fc.property(
      fc.constantFrom(SECRET, TOKEN),
      fc.string({ maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      (secret, before, behind) =>
        countFound(Buffer.from(write(Buffer.from(`${before}${secret}${behind}`))), shapesOf(secret)) > 0,
    );
    expect(() => fc.assert(property)).not.toThrow();
  });

  it("are found as the bytes that a token encodes", () => {
    expect(countFound(Buffer.from(TOKEN, "base64url"), shapesOf(TOKEN))).toBe(1);
  });

  it.each(written)("are not found in another text that was written %s", (_, write) => {
    const other = Buffer.from(write(Buffer.from(`${SECRET.slice(1)} ${TOKEN.slice(0, -1)} ${"x".repeat(500)}`)));
    expect([countFound(other, shapesOf(SECRET)), countFound(other, shapesOf(TOKEN))]).toEqual([0, 0]);
  });
});
