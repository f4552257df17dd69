import { EXIT } from "../output/exit-codes.ts";
import { refuse } from "../output/refusal.ts";

/** What a flag said, or null when `--none` was given in its place. @throws Refusal when both were given, or neither. */
export function givenOrNone<T>(flag: string, given: T | undefined, none: boolean | undefined): T | null {
  if (given !== undefined && none !== true) return given;
  if (given === undefined && none === true) return null;
  throw refuse(EXIT.usage, {
    code: "USAGE",
    reason: "one_of_two_flags",
    message: `Either ${flag} or --none must be given, and not both.`,
  });
}
