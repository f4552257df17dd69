import { InvalidArgumentError } from "commander";

/** @throws InvalidArgumentError */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
