import type { Random } from "../../src/runtime/basis/random.ts";
import { newApiKey } from "../../src/workforce/integrations/api-key.ts";
import { seededRandom } from "./random.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const PREFIX_LENGTH = 4;
const LOOK_UP_LENGTH = 12;

export const lookUpOf = (key: string): string => key.slice(PREFIX_LENGTH, PREFIX_LENGTH + LOOK_UP_LENGTH);

/** A well-formed key that is found like this one, and has another secret. */
export function keyWithLookUpOf(key: string): string {
  const rest = seededRandom(key);
  let first = Buffer.from([...lookUpOf(key)].map((character) => ALPHABET.indexOf(character)));
  const random: Random = {
    bytes(length) {
      const bytes = Buffer.concat([first, rest.bytes(length - first.length)]);
      first = Buffer.alloc(0);
      return bytes;
    },
  };
  return newApiKey(random);
}
