import { switchSchema } from "./setting-schemas.ts";
import { configurationRefused, mistake } from "./settings.ts";

/**
 * Settings from the command line: `--name value`, `--name=value`, or `--name` alone for a switch. Of one that is given twice the
 * last counts, so that a command which was written down can be called with others.
 * @param single names that may be given once only, each with what to do instead.
 * @throws CannotStart for anything that is not a flag, and for a single one that is given again.
 */
// Not util.parseArgs or commander: a switch may have a value or none, `-1` is a value, and an unknown name is refused
// together with all other mistakes, by examineSettings (decision 0045).
export function flagsOf(
  words: readonly string[],
  single: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!word.startsWith("--") || word === "--")
      throw configurationRefused([
        mistake(`${word} is not a setting: settings begin with two dashes, like --public-port 8080.`),
      ]);
    const [name = "", value] = word.slice(2).split(/=(.*)/s, 2);
    const next = words[index + 1];
    const instead = single[name];
    if (instead !== undefined && flags[name] !== undefined)
      throw configurationRefused([mistake(`--${name} is given twice: ${instead}.`, name)]);
    if (value !== undefined) flags[name] = value;
    else if (next === undefined || next.startsWith("--")) flags[name] = "";
    else {
      flags[name] = next;
      index++;
    }
  }
  return flags;
}

/**
 * A flag of a command that is a switch and no setting.
 * @throws CannotStart for a value that a switch does not have: a word that stands behind it by mistake.
 */
export function switchOf(name: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const { success, data, error } = switchSchema.safeParse(given);
  if (success) return data;
  const reasons = error.issues.map(({ message }) => message).join("; ");
  throw configurationRefused([mistake(`--${name} (${given}): ${reasons}.`)]);
}
