import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import { type AdvisedCommand, leadingTo, withAside } from "../output/advice.ts";
import { type Candidate, CommandError, commandError, EXIT } from "../output/command-error.ts";
import { displayWidth, plain } from "../output/terminal-text.ts";

/** Candidates of an ambiguous name that are shown, and known names that an error lists. */
export const SHOWN_MAX = 10;

/** A kind of thing that commands take by id or by what its table shows (R-X194). */
interface Noun {
  readonly kind: IdKind;
  readonly word: string;
  readonly plural: string;
  /** The beginning of its reasons, for example `tenant` in `tenant_not_found`. */
  readonly reason: string;
  /** The command that lists what there is. */
  readonly list: AdvisedCommand;
  /** The flag that narrows the search, if it was not given. */
  readonly narrower?: string;
}

export interface Found {
  readonly found: readonly Candidate[];
  readonly more: boolean;
}

/** A to Z as a to z, and every other letter as it is: the store compares names so (R-X194). */
const inSmallLetters = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a thing has the name that was given. */
export const isSameName = (name: string | undefined, given: string): boolean =>
  name !== undefined && inSmallLetters(name) === inSmallLetters(given.trim());

export const noun = (kind: IdKind, word: string, list: AdvisedCommand, plural = `${word}s`): Noun => ({
  kind,
  word,
  plural,
  reason: word.replaceAll(" ", "_"),
  list,
});

/** An id of the right form is taken as it is: the command itself says when there is no such thing. */
export async function idOf(
  what: Noun,
  given: string,
  find: () => Promise<Found & { readonly known?: readonly string[] }>,
): Promise<string> {
  const id = parseId(what.kind, given);
  if (id !== undefined) return id;
  const { found, more, known } = await find();
  const [match, another] = found;
  if (match === undefined) throw unknown(what, given, known ?? []);
  if (another === undefined) return match.id;
  throw ambiguous(what, given, found.slice(0, SHOWN_MAX), more || found.length > SHOWN_MAX);
}

export function unknown({ word, reason, list }: Noun, given: string, known: readonly string[]): CommandError {
  const named_ = given.includes("@") ? "with the e-mail address" : "named";
  const some = known.length > 0 && known.length <= SHOWN_MAX;
  return commandError(EXIT.usage, {
    code: "NOT_FOUND",
    reason: `${reason}_not_found`,
    message: `There is no ${word} ${named_} ${given}.`,
    fix: some
      ? withAside(`There ${known.length === 1 ? "is" : "are"}: ${known.join(", ")}`, list)
      : leadingTo("See what there is:", list),
  });
}

function ambiguous(
  { plural, reason, list, narrower }: Noun,
  given: string,
  found: readonly Candidate[],
  more: boolean,
): CommandError {
  const message = `${more ? `More than ${found.length}` : found.length} ${plural} fit ${given}; nothing was changed.`;
  const way = `Give ${narrower === undefined ? "" : `${narrower}, or `}the id of one:`;
  const width = Math.max(...found.map(({ name }) => displayWidth(plain(name))));
  const lines = found.map(({ id, name, details }) => {
    const padding = " ".repeat(width - displayWidth(plain(name)));
    return `  ${id}  ${plain(name)}${padding}  ${plain(details.filter((one) => one !== "").join(", "))}`.trimEnd();
  });
  const end = more ? [leadingTo("  and more:", list)] : [];
  return new CommandError(EXIT.usage, [message, way, ...lines, ...end], {
    code: "FAILED_PRECONDITION",
    reason: `${reason}_ambiguous`,
    message,
    fix: `${way} ${found.map(({ id }) => id).join(", ")}`,
    violations: [],
    candidates: found.map(({ id, name, details }) => ({ id, name, details })),
  });
}

export const tenantNeeded = ({ word, list }: Noun, given: string, hasAddress: boolean): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "tenant_missing",
    message: `${given} is not the id of a ${word}, and names are looked for in one tenant.`,
    fix: leadingTo(
      `Add --tenant <tenant>${hasAddress ? ", or give the e-mail address" : ""}. See what there is:`,
      list,
    ),
  });
