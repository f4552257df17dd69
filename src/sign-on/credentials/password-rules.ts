import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PasswordFlaw as PasswordFlawMessage } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { hasAtMost } from "#runtime/basis/text.ts";

/** In characters (NIST SP 800-63B for passwords without a second factor, R-X15). */
export const PASSWORD_LENGTH_MIN = 15;
export const PASSWORD_LENGTH_MAX = 1_024;

/** Which rule a new password breaks. No rule asks for kinds of characters (NIST SP 800-63B). */
export type PasswordFlaw = "too_short" | "too_long" | "pattern" | "common" | "personal";

/** The person whose password it will be: it must not be made of their name or address. */
export interface PasswordOwner {
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
}

const PRODUCT = "gatehouse";
/** How many characters must remain beside a word that others can guess. */
const OWN_CHARACTERS_MIN = 8;
/** Of common passwords shorter ones make no difference: beside them a password has enough characters of its own. */
export const COMMON_LENGTH_MIN = PASSWORD_LENGTH_MIN - OWN_CHARACTERS_MIN + 1;
/** Shorter words are part of other words by chance. */
const WORD_LENGTH_MIN = 4;
const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1q2w3e4r5t6y7u8i9o0p",
];

/** The passwords that leaks show most often, in lower case, a line each. */
const COMMON_FILE = join(import.meta.dirname, "..", "..", "..", "generated", "common-passwords.txt");
/** Read with the first new password: most processes never see one, and the list is a megabyte of their memory. */
let common: ReadonlySet<string> | undefined;

/**
 * The first rule that a new password breaks; `undefined` when it breaks none. Checked in the form that is hashed
 * (NFKC), ignoring case. The length is checked twice: as entered, since the login form has a limit, and as hashed,
 * since that is what is guessed.
 */
export function passwordFlaw(password: string, owner: PasswordOwner): PasswordFlaw | undefined {
  if (!hasAtMost(password, PASSWORD_LENGTH_MAX)) return "too_long";
  const hashed = password.normalize("NFKC");
  // Counted before the case is ignored: a capital letter may become two characters.
  if ([...hashed].length < PASSWORD_LENGTH_MIN || [...password].length < PASSWORD_LENGTH_MIN) return "too_short";
  const characters = [...hashed.toLowerCase()];
  if (isRepeated(characters) || isRow(characters)) return "pattern";
  if (isCommon(characters)) return "common";
  return isPersonal(characters.join(""), owner) ? "personal" : undefined;
}

/** True for a short piece that is only repeated. */
function isRepeated(characters: readonly string[]): boolean {
  const longest = Math.min(PASSWORD_LENGTH_MIN - 1, Math.floor(characters.length / 2));
  for (let period = 1; period <= longest; period++) {
    if (characters.every((character, index) => index < period || character === characters[index - period])) return true;
  }
  return false;
}

/** True for a run along the alphabet, the digits or a keyboard row, wrapping at the end, in either direction. */
function isRow(characters: readonly string[]): boolean {
  const forward = characters.join("");
  const backward = characters.toReversed().join("");
  return ROWS.some((row) => {
    const round = row.repeat(Math.ceil(characters.length / row.length) + 1);
    return round.includes(forward) || round.includes(backward);
  });
}

/** True for a common password, or one with too few characters before and after it. */
function isCommon(characters: readonly string[]): boolean {
  common ??= new Set(readFileSync(COMMON_FILE, "utf8").split("\n"));
  for (let before = 0; before < OWN_CHARACTERS_MIN; before++) {
    for (let after = 0; before + after < OWN_CHARACTERS_MIN; after++) {
      if (common.has(characters.slice(before, characters.length - after).join(""))) return true;
    }
  }
  return false;
}

/** True when too little is left without the person's words and the product's name. */
function isPersonal(password: string, { email, firstName = "", lastName = "" }: PasswordOwner): boolean {
  // Composed before they are divided: an accent of its own would divide a word.
  const texts = [email, firstName, lastName].map((text) => text.normalize("NFKC").toLowerCase());
  const words = [PRODUCT, ...texts, ...texts.flatMap(partsOf)]
    .filter((word) => [...word].length >= WORD_LENGTH_MIN)
    .toSorted((one, other) => other.length - one.length);
  // A removed word leaves a space: the parts around it must not join into another word.
  const rest = words.reduce((left, word) => left.replaceAll(word, " "), password);
  return (
    rest !== password && [...rest].filter((character) => /[\p{L}\p{N}]/u.test(character)).length < OWN_CHARACTERS_MIN
  );
}

/** Words of a text; a mark belongs to the letter before it. */
const partsOf = (text: string): readonly string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u);

/** What is wrong with a new password, or that its repetition is `different`; unspecified when nothing is. */
export const toFlawMessage = (flaw: PasswordFlaw | "different" | undefined): PasswordFlawMessage =>
  flaw === undefined ? PasswordFlawMessage.UNSPECIFIED : valueOfLower(PasswordFlawMessage, flaw);
