import type { Command } from "commander";
import { editDistance } from "#runtime/basis/edit-distance.ts";

/** More names than these are no advice. */
const SUGGESTED_MAX = 3;

/** What other programs, the contracts and people call commands of ours. */
const OTHER_WORDS: readonly (readonly [ours: string, ...theirs: string[]])[] = [
  ["serve", "start", "run", "up"],
  ["tenants", "client", "clients", "company", "companies"],
  ["subscriptions", "webhook", "webhooks", "endpoint", "endpoints"],
  ["api-keys or signing-keys", "key", "keys"],
  ["applications", "app", "apps"],
  ["workers", "employee", "employees"],
  ["people", "person"],
];

/** Verbs by which programs do the same: each noun here has the one that says best what happens. */
const SAME: readonly (readonly string[])[] = [
  ["create", "add", "new", "make", "register", "issue", "invite", "onboard"],
  ["show", "get", "describe", "info", "view", "inspect", "explain"],
  ["list", "ls"],
  ["update", "edit", "change", "modify", "rename", "set"],
  ["delete", "remove", "rm", "destroy", "drop", "revoke", "end", "erase", "cancel"],
  ["pause", "disable", "stop", "suspend", "deactivate"],
  ["resume", "enable", "activate", "unpause"],
  ["rotate", "renew", "replace", "regenerate", "roll"],
  ["resend", "retry", "replay", "redeliver"],
];

const ROTATE = "rotate";

/**
 * What was probably meant by a word that is no command here, to complete “Did you mean …?”: a verb that does the same, one
 * of a noun below, a flag, or a verb of another noun.
 * @param isLikeAnother true when another command here has about the same letters.
 * @returns `undefined` where nothing better is known than the command of about the same letters.
 */
export function meantCommand(
  word: string,
  command: Command,
  { isLikeAnother }: { readonly isLikeAnother: boolean },
): string | undefined {
  if (command.parent !== null) return meantVerb(word, command);
  const [ours] = OTHER_WORDS.find(([, ...theirs]) => theirs.includes(word)) ?? [];
  if (ours !== undefined) return ours;
  // A noun of about this name is more likely than a verb of some noun.
  return isLikeAnother ? undefined : oneOf(meantAtTop(word, command));
}

/** Before any likeness of letters: “create” looks like “erase”, and “remove” like “resume”. */
function meantVerb(word: string, noun: Command): string | undefined {
  const same = new Set(SAME.filter((verbs) => verbs.includes(firstPart(word))).flat());
  const fits = ({ name }: { readonly name: string }) => same.has(firstPart(name));
  const verbs = noun.commands.map((verb) => ({ name: verb.name(), path: verb.name() }));
  const below = noun.commands.flatMap((inner) =>
    inner.commands.map((verb) => ({ name: verb.name(), path: `${inner.name()} ${verb.name()}` })),
  );
  const meant = [...verbs, ...below].filter(fits).map(({ path }) => path);
  if (meant.length > 0) return oneOf(meant);
  // What cannot be replaced is made once more, and the old one ended when the new one is in use.
  const isReplacedByTwo =
    same.has(ROTATE) && ["issue", "revoke"].every((verb) => verbs.some(({ name }) => name === verb));
  return isReplacedByTwo ? "issue, and then revoke" : undefined;
}

/** `rotate-secret` → `rotate` */
const firstPart = (word: string): string => word.split("-")[0] ?? word;

/** Flags of about this name, as `--version` for `version`; else verbs of this name, as `store status` for `status`. */
function meantAtTop(word: string, program: Command): readonly string[] {
  const flags = program.options.flatMap(({ long }) => (long && editDistance(word, long.slice(2)) <= 1 ? [long] : []));
  if (flags.length > 0) return flags;
  return program.commands.flatMap((noun) =>
    noun.commands.filter((verb) => verb.name() === word).map(() => `${noun.name()} ${word}`),
  );
}

const oneOf = (names: readonly string[]): string | undefined =>
  names.length === 0 || names.length > SUGGESTED_MAX ? undefined : names.join(" or ");
