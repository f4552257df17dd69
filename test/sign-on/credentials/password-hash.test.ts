import {
  hashPassword,
  missingCost,
  type PasswordCost,
  passwordMatches,
} from "../../../src/sign-on/credentials/password-hash.ts";
import { seededRandom } from "../../support/random.ts";

const CHEAP = { memoryKib: 64, passes: 1 };

/** Made by the reference implementation, and the same in many others: "password", "somesalt", 64 MiB, two passes, one lane. */
const REFERENCE = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

describe("a password (R-S17, RFC 9106)", () => {
  it("matches a hash that another implementation made", async () => {
    expect(await passwordMatches("password", REFERENCE)).toBe(true);
    expect(await passwordMatches("passwore", REFERENCE)).toBe(false);
  });

  it("is hashed as a PHC string with the cost asked for, a salt of 16 and a tag of 32 bytes", async () => {
    const phc = await hashPassword("correct horse battery staple", { memoryKib: 128, passes: 3 }, seededRandom());
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=128,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it("has a new salt, and so another hash, every time", async () => {
    const random = seededRandom();
    const hashes = [await hashPassword("the same", CHEAP, random), await hashPassword("the same", CHEAP, random)];
    expect(new Set(hashes).size).toBe(2);
    expect(await Promise.all(hashes.map((phc) => passwordMatches("the same", phc)))).toEqual([true, true]);
  });

  it.each([
    ["", "x"],
    ["Password", "password"],
    ["password", "password "],
    [" password", "password"],
    ["password", "password\0"],
    ["a".repeat(72), `${"a".repeat(72)}b`],
    ["a".repeat(1_024), "a".repeat(1_023)],
  ])("is not another one: %j, %.20j", async (password, other) => {
    const phc = await hashPassword(password, CHEAP, seededRandom());
    expect(await passwordMatches(password, phc)).toBe(true);
    expect(await passwordMatches(other, phc)).toBe(false);
  });

  it.each([
    ["é composed or not", "caf\u00e9", "cafe\u0301"],
    ["a ligature", "ﬁsh", "fish"],
    ["full-width letters", "ｐａｓｓ", "pass"],
    ["an angstrom sign", "\u212b", "\u00c5"],
    ["Hangul syllables or letters", "한", "\u1112\u1161\u11ab"],
  ])("is the same however a keyboard composes it (NFKC): %s", async (_, typed, alsoTyped) => {
    const phc = await hashPassword(typed, CHEAP, seededRandom());
    expect(await passwordMatches(alsoTyped, phc)).toBe(true);
  });

  it("is not changed otherwise: case and accents count", async () => {
    const phc = await hashPassword("Straße-é", CHEAP, seededRandom());
    const others = ["straße-é", "Strasse-é", "Straße-e"];
    expect(await Promise.all(others.map((other) => passwordMatches(other, phc)))).toEqual([false, false, false]);
  });

  it("costs what its hash says, not what new ones cost", async () => {
    const dear = await hashPassword("pass", { memoryKib: 256, passes: 4 }, seededRandom());
    expect(await passwordMatches("pass", dear)).toBe(true);
    expect(await passwordMatches("pass", dear.replace("t=4", "t=3"))).toBe(false);
  });

  it.each([
    "",
    "plain text",
    "$2b$10$abcdefghijklmnopqrstuuC1tB0nB5nWk0tS1jQF7bZlYB3eW8hZa",
    REFERENCE.replace("argon2id", "argon2i"),
    REFERENCE.replace("v=19", "v=16"),
    REFERENCE.replace("p=1", "p=4"),
    `${REFERENCE}\n`,
  ])("throws over a stored text that is no argon2id hash: %j", async (phc) => {
    await expect(passwordMatches("password", phc)).rejects.toThrow("not argon2id");
  });
});

describe("what a cheaper hash lacks in work (R-X89)", () => {
  const made = (memoryKib: number, passes: number) => `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$c2FsdHNhbHQ$dGFn`;

  it.each<[string, string, PasswordCost, PasswordCost | undefined]>([
    ["nothing, when it cost the same", made(19_456, 2), { memoryKib: 19_456, passes: 2 }, undefined],
    ["nothing, when it cost more", made(65_536, 3), { memoryKib: 19_456, passes: 2 }, undefined],
    ["nothing, when less memory was passed more often", made(19_456, 5), { memoryKib: 47_104, passes: 1 }, undefined],
    ["the memory", made(19_456, 2), { memoryKib: 65_536, passes: 2 }, { memoryKib: 46_080, passes: 2 }],
    ["the passes", made(19_456, 2), { memoryKib: 19_456, passes: 4 }, { memoryKib: 9_728, passes: 4 }],
    ["nothing, when it is less than a hash can have", made(19_456, 2), { memoryKib: 19_463, passes: 2 }, undefined],
  ])("%s", (_, phc, cost, missing) => {
    expect(missingCost(phc, cost)).toEqual(missing);
  });

  it("is not said of what is no argon2id hash", () => {
    expect(() => missingCost("$2b$12$abc", { memoryKib: 8, passes: 1 })).toThrow("not argon2id");
  });
});
