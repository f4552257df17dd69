import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";

const GROUPS = 4;
const GROUP_LENGTH = 5;

/**
 * A password that can be read aloud and typed: four groups of five lower-case letters and digits with hyphens between them, without the
 * characters that look alike (0 o, 1 i l); 20 random characters, about 99 bits.
 */
export function newPassword(random: Random): string {
  let characters = "";
  while (characters.length < GROUPS * GROUP_LENGTH) {
    // Every letter and digit is equally likely, so the remaining ones are too when some are skipped.
    characters += randomCharacters(random, 64).replaceAll(/[A-Z01oil]/g, "");
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join("-");
}

/** Eight characters that distinguish one demonstration's request ids from another's. */
export const newSeedId = (random: Random): string => randomCharacters(random, 8);
