import { seededRandom } from "../../support/random.ts";

/** Choices that follow from a seed: the same seed and name give the same row of choices. */
export interface Dice {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True in `part` of all cases, 0 to 1. */
  chance(part: number): boolean;
  /** @throws Error when the list is empty. */
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): readonly T[];
  /** Choices for a part of the run, so that no part changes what another one draws. */
  of(name: string): Dice;
}

export function dice(seed: string): Dice {
  const random = seededRandom(seed);
  const below = (count: number) => random.bytes(6).readUIntBE(0, 6) % count;
  const one: Dice = {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (part) => below(1_000_000) < part * 1_000_000,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error("There is nothing to choose from.");
      return list[below(list.length)] as T;
    },
    shuffled(list) {
      const cards = [...list];
      for (let left = cards.length; left > 1; left--) {
        const at = below(left);
        [cards[left - 1], cards[at]] = [cards[at] as never, cards[left - 1] as never];
      }
      return cards;
    },
    of: (name) => dice(`${seed} ${name}`),
  };
  return one;
}
