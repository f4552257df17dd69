import { InvalidArgumentError, Option } from "commander";
import { EVENT_TYPES } from "#generated/event-types.ts";
import { isDay } from "#runtime/basis/day.ts";
import { type AdvisedCommand, runWords } from "../output/advice.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { offering } from "./offered.ts";

/** Collects a flag that may be given several times. */
export const repeated = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

/**
 * A list flag whose values are a few words: repeated for more, as every list flag. Several words behind one flag work
 * too, as scripts of earlier versions have them.
 */
export function repeatedChoice(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, `${description}; may be repeated`).choices(words);
  option.variadic = true;
  return option;
}

/** `--event-type`, once or as a list. The services know patterns too. */
export const eventTypeOption = (description: string): Option =>
  offering(new Option("--event-type <type>", description), EVENT_TYPES);

/** The texts of such a flag; a single empty one means an empty list. */
export const texts = (given: readonly string[] | undefined): string[] => (given ?? []).filter((text) => text !== "");

/** @throws InvalidArgumentError */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Messages carry seconds in 32 bits: more would fail as the call is written, as if Gatehouse had. */
const DURATION_DAYS_MAX = Math.floor((2 ** 31 - 1) / 86_400);

/**
 * Reads `0`, `90m`, `24h` or `7d` as seconds. Does not check the allowed range, only what a message can carry.
 * @throws InvalidArgumentError
 */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const [, number, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit];
  if (number === undefined || seconds === undefined)
    throw new InvalidArgumentError("It must be a number with its unit, like 90m, 24h or 7d, or 0.");
  const duration = Number(number) * seconds;
  if (duration > DURATION_DAYS_MAX * 86_400)
    throw new InvalidArgumentError(`It must be ${DURATION_DAYS_MAX}d at most.`);
  return duration;
}

/** Reads `2027-01-31` (midnight UTC) or an instant with its zone. @throws InvalidArgumentError */
export function parseInstant(text: string): Date {
  const isInstant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const at = isInstant && isDay(text.slice(0, 10)) ? new Date(text) : undefined;
  // Elsewhere the last hours of 9999 are in 10000, and the first of 1 in 0, which no message carries.
  const year = at?.getUTCFullYear() ?? Number.NaN;
  if (at === undefined || !(year >= 1 && year <= 9999))
    throw new InvalidArgumentError("It must be a date like 2027-01-31, or an instant like 2027-01-31T12:00:00Z.");
  return at;
}

/**
 * The rest of a list as its next step: its flags again, in the order of the names; those that were not given are left
 * out, those with several values repeated. Nothing at the end of the list.
 */
export function restOf(
  list: string,
  flags: Readonly<Record<string, string | number | Date | readonly string[] | undefined>>,
  cursor: string | null | undefined,
): { readonly next?: AdvisedCommand } {
  if (!cursor) return {};
  const again = Object.entries({ ...flags, cursor }).flatMap(([name, value = []]) => {
    const words = value instanceof Date ? [value.toISOString()] : [value].flat().map(String);
    return words.flatMap((word) => [`--${name}`, word]);
  });
  return { next: runWords(["gatehouse", ...list.split(" "), ...again]) };
}

/** What is said of an empty page of a list: whether there is nothing at all, or nothing that the flags ask for. */
export function noneOf(
  several: string,
  flags: Readonly<Record<string, unknown>>,
  cursor: string | null | undefined,
): string {
  if (cursor) return `There are no such ${several} so far back.`;
  const asksForAll = Object.values(flags).every((value) => value === undefined);
  return asksForAll ? `There are no ${several} yet.` : `There are no such ${several}.`;
}

/** Two flags were given of which each says what the other denies. */
export const contradiction = (one: string, other: string): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "one_of_two_flags",
    message: `${one} and ${other} contradict each other.`,
    fix: "Give one of them.",
  });

/** The value of a flag, or null when `--none` was given instead. @throws CommandError when both were given, or neither. */
export function givenOrNone<T>(flag: string, given: T | undefined, none: boolean | undefined): T | null {
  if (given !== undefined && none !== true) return given;
  if (given === undefined && none === true) return null;
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "one_of_two_flags",
    message: `Either ${flag} or --none must be given, and not both.`,
  });
}

/** How many entries a list shows without `--limit`. */
export const LISTED_DEFAULT = 50;

/** `--limit`, for lists that are read page by page. */
export const limitOption = (most = 500, byDefault: number | "all" = LISTED_DEFAULT): Option =>
  new Option("--limit <n>", `how many, 1 to ${most} (default: ${byDefault})`).argParser((text) => {
    const limit = parseWholeNumber(text);
    if (limit < 1 || limit > most) throw new InvalidArgumentError(`It must be 1 to ${most}.`);
    return limit;
  });

/** `--tenant`, for commands that take something of a tenant by its name (R-X194). */
export const tenantOption = (): Option =>
  new Option("--tenant <id or name>", "tenant (the wire's client) that a name is looked for in");

/** `--name`, for commands that rename something. */
export const newNameOption = (): Option => new Option("--name <text>", "its new name").makeOptionMandatory();

/** `--yes`, for commands that ask before something ends for good (R-X202). */
export const yesOption = (): Option => new Option("--yes", "do not ask; needed in a script");

/** `--request-id`, for commands that change something in workforce (R-G18). The id is a header of the call, too. */
export const requestIdOption = (): Option =>
  new Option(
    "--request-id <text>",
    "a repeat with the same id changes nothing for 24 hours; a new id by default",
  ).argParser((text) => {
    if (!/^[ -~]*$/.test(text)) throw new InvalidArgumentError("It must be letters, digits and signs of ASCII.");
    return text;
  });
