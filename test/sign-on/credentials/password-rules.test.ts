import fc from "fast-check";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordFlaw,
  passwordFlaw,
} from "../../../src/sign-on/credentials/password-rules.ts";

const OWNER = { email: "maren.dahl@harbour-bakery.example", firstName: "Maren", lastName: "Dahl-Østergård" };

describe("what a new password may be (NIST SP 800-63B, R-X15, R-X95)", () => {
  it.each<[string, string, PasswordFlaw | undefined]>([
    ["fourteen characters", "quiet heron 14", "too_short"],
    ["fifteen", "quiet heron 15!", undefined],
    ["fourteen characters that take more bytes", "quiet hérön 1🙂", "too_short"],
    ["fifteen marks that compose to fewer characters", `quiet h${"e\u0301".repeat(4)}`, "too_short"],
    [
      "twelve characters, six of which become two in lower case",
      "aI\u0307bI\u0307cI\u0307dI\u0307eI\u0307fI\u0307",
      "too_short",
    ],
    ["few characters that decompose to many", "\ufdfa", "too_short"],
    ["1,025 characters", `${"quiet herons ".repeat(78)}at dawn now`, "too_long"],
    ["spaces alone", " ".repeat(20), "pattern"],
    ["one character", "zzzzzzzzzzzzzzzz", "pattern"],
    ["a word three times", "heronheronheron", "pattern"],
    ["a piece that is broken off at the end", "quietheronsquietheronsquie", "pattern"],
    ["a piece that would be long enough by itself, twice", "seven quiet heronsseven quiet herons", undefined],
    ["its first character once more at the end", "a quiet heron, a", undefined],
    ["the digits", "123456789012345", "pattern"],
    ["the alphabet from the middle", "klmnopqrstuvwxyzab", "pattern"],
    ["the alphabet backwards", "zyxwvutsrqponmlk", "pattern"],
    ["a row of the keyboard", "QwertyUiopAsdfgh", "pattern"],
    ["the same in German", "qwertzuiopasdfghjkl", "pattern"],
    ["a common password of that length", "1Qaz2wsx3edc4rfv", "common"],
    ["a common password, then digits", "liverpool123456", "common"],
    ["the same in full-width letters", "ｌｉｖｅｒｐｏｏｌ123456", "common"],
    ["signs around a common password", "!!!Superman!!!!", "common"],
    ["letters around a common password", "xyzLiverpoolabc", "common"],
    ["signs around a common password that begins and ends with a digit", "!!!147258369!!!", "common"],
    ["a common password with seven characters beside it", "abc liverpool cd", "common"],
    ["a common password with eight characters beside it", "abc liverpool cde", undefined],
    ["a common password with enough beside it", "liverpool 4827-1190-5", undefined],
    ["common words in a rare combination", "superman liverpool dragon", undefined],
    ["the e-mail address", "maren.dahl@harbour-bakery.example", "personal"],
    ["the address in capitals, with a year", "MAREN.DAHL@HARBOUR-BAKERY.EXAMPLE2026", "personal"],
    ["names and a year", "Maren Østergård 2026", "personal"],
    ["our name, and little else", "gatehouse-2026-ok", "personal"],
    ["our name in a sentence", "the gatehouse leans to the left", undefined],
    ["kinds of characters that others demand", "sieben ruhige reiher", undefined],
  ])("%s", (_, password, flaw) => {
    expect(passwordFlaw(password, OWNER)).toBe(flaw);
  });

  it("needs no names", () => {
    const owner = { email: "m@b.de", firstName: undefined, lastName: undefined };
    expect(passwordFlaw("seven quiet herons", owner)).toBeUndefined();
  });

  it("knows the person's names however their accents are composed (R-X95)", () => {
    const decomposed = { ...OWNER, lastName: OWNER.lastName.normalize("NFD") };
    expect(decomposed.lastName).not.toBe(OWNER.lastName);
    expect(passwordFlaw("Maren Østergård 2026", decomposed)).toBe("personal");
    expect(passwordFlaw("Maren Østergård 2026".normalize("NFD"), decomposed)).toBe("personal");
  });

  it("knows each of the person's names where vowels are marks of their own (R-X95)", () => {
    const owner = { email: "priya@harbour-bakery.example", firstName: "प्रिया", lastName: "शर्मा वर्मा" };
    expect(passwordFlaw("वर्मा--2026--ok!", owner)).toBe("personal");
  });

  it("takes every random password of the length that is asked for, whatever its characters", () => {
    const characters = fc.constantFrom(..."abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789 .-_!?äöüßéçñ密碼🙂");
    fc.assert(
      fc.property(fc.uniqueArray(characters, { minLength: 20, maxLength: 40 }), (chosen) => {
        expect(passwordFlaw(chosen.join(""), OWNER)).toBeUndefined();
      }),
    );
  });

  it("has an answer for every text, and names the length before anything else", () => {
    const near = (bound: number) =>
      fc.string({ unit: "binary", minLength: bound - 15, maxLength: bound + 15, size: "max" });
    fc.assert(
      fc.property(fc.oneof(near(PASSWORD_LENGTH_MIN), near(PASSWORD_LENGTH_MAX)), (password) => {
        const flaw = passwordFlaw(password, OWNER);
        const length = [...password].length;
        const shorter = Math.min(length, [...password.normalize("NFKC")].length);
        expect(flaw === "too_long").toBe(length > PASSWORD_LENGTH_MAX);
        expect(flaw === "too_short").toBe(length <= PASSWORD_LENGTH_MAX && shorter < PASSWORD_LENGTH_MIN);
      }),
    );
  });
});
