import { InvalidArgumentError } from "commander";

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads `0`, `90m`, `24h` or `7d` as seconds. Whether that many are allowed is not decided here. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const [, number, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit];
  if (number === undefined || seconds === undefined)
    throw new InvalidArgumentError("It must be a number with its unit, like 90m, 24h or 7d, or 0.");
  return Number(number) * seconds;
}
