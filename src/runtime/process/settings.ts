import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { ParseError } from "jsonc-parser";
import type { z } from "zod";
import { CannotStart } from "../basis/errors.ts";
import { isReadableByAll } from "../basis/file-rights.ts";
import { suggestion } from "../basis/suggestion.ts";
import { shellWord } from "../basis/terminal-lines.ts";
import { counted } from "../basis/text.ts";
import type { Role } from "./roles.ts";

/**
 * One setting, described in one place: parsing, the configuration page and `gatehouse config` all use this description.
 */
export interface Setting<T> {
  /** Turns text (or a value of the configuration file) into the typed value. */
  readonly schema: z.ZodType<T>;
  /** Absent: the setting must be given where a role needs it. */
  readonly fallback?: T;
  /** One sentence. */
  readonly meaning: string;
  readonly unit?: string;
  readonly neededBy: readonly Role[];
  /** Never printed; can be given as a file by `<name>-file`. */
  readonly secret?: boolean;
  /** Text of several lines: can be given as a file like a secret, and is not printed. */
  readonly lengthy?: boolean;
  /** The value as the schema reads it again, where it is not the value's own text. */
  written?(value: T): string;
}

/** A value as it is given: in `gatehouse config`, and as a default in docs/configuration.md. */
export const writtenValue = <T>(one: Setting<T>, value: T): string => one.written?.(value) ?? String(value);

/** Settings by name: `public-port` is the flag `--public-port`, the variable `GATEHOUSE_PUBLIC_PORT` and the file's key `public-port`. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Keeps the exact types of a part's settings while checking their form. */
export const defineSettings = <const S extends { readonly [name: string]: Setting<unknown> }>(settings: S): S =>
  settings;

/** Describes one setting; the helper infers its type from the schema. */
export const setting = <T>(description: Setting<T>): Setting<T> => description;

export interface SettingSources {
  /** From the command line, by setting name. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the configuration file, if any. */
  readonly file?: string | undefined;
}

const mayBeFile = ({ secret, lengthy }: Setting<unknown>): boolean => secret === true || lengthy === true;

const PREFIX = "GATEHOUSE_";

export const variableOf = (name: string): string => `${PREFIX}${name.toUpperCase().replaceAll("-", "_")}`;

/** The name of the setting that a variable with our prefix would be. */
const settingOf = (variable: string): string => variable.slice(PREFIX.length).toLowerCase().replaceAll("_", "-");

/** Variables with our prefix that are not settings. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set(["GATEHOUSE_CONFIG", "GATEHOUSE_DEMO_FILE"]);

/** A value and the place where it was given. */
interface Given {
  readonly value: unknown;
  readonly from: string;
  /** Path of the file, for a value that was given as one. */
  readonly path?: string;
}

/** What is wrong with the configuration. */
export interface Mistake {
  /** Key, reason and fix. */
  readonly sentence: string;
  /** Names of the settings that it is about; none for a name or a file that cannot be read. */
  readonly settings: readonly string[];
}

export const mistake = (sentence: string, ...settings: readonly string[]): Mistake => ({ sentence, settings });

/**
 * Checks combinations of settings and returns each mistake. The settings named in `wrong` were refused
 * already, or are in files that cannot be read, and have their defaults here; they are not reported again.
 */
export type CheckTogether<S extends Settings> = (values: Values<S>, wrong: ReadonlySet<string>) => readonly Mistake[];

/**
 * Reads all settings, flag before environment before file before default. A value that is present is always checked; a missing one only
 * where one of `roles` needs it. A setting with a mistake has its default.
 */
export function examineSettings<S extends Settings>(
  settings: S,
  sources: SettingSources,
  roles: readonly Role[],
  together: CheckTogether<S> = () => [],
): {
  readonly values: Values<S>;
  /** Of the files by which settings were given, by the names of the settings. */
  readonly paths: Readonly<Record<string, string>>;
  /** Where each that was given and is right was given: its flag, its variable, its file, or the configuration file. */
  readonly origins: Readonly<Record<string, string>>;
  readonly mistakes: readonly Mistake[];
} {
  const mistakes: Mistake[] = [];
  const wrong = new Set<string>();
  const read = readFileSettings(sources.file, mistakes);
  const file = read ?? {};
  rejectUnknown(namesOf(settings), sources, file, mistakes);
  const values: Record<string, unknown> = {};
  const paths: Record<string, string> = {};
  const origins: Record<string, string> = {};
  for (const [name, one] of Object.entries(settings)) {
    const found = mistakes.length;
    const given = findGiven(name, one, sources, file, mistakes);
    if (given === undefined) {
      const needed = one.neededBy.some((role) => roles.includes(role));
      // Who is advised to make a key that is in a file of the wrong mode has two.
      if (mistakes.length > found) wrong.add(name);
      else if (!("fallback" in one) && needed && read !== undefined)
        mistakes.push(mistake(`${name} is missing: ${one.meaning} Set ${variableOf(name)} or --${name}.`, name));
      values[name] = one.fallback;
      continue;
    }
    const { file: path } = sources;
    if (one.secret === true && path !== undefined && (file[name] ?? "") !== "" && isReadableByAll(path))
      mistakes.push(
        mistake(
          `${name} is a secret, and the configuration file ${path} can be read by all users. Run: chmod o= ${shellWord(path)}, or give it by ${name}-file.`,
          name,
        ),
      );
    const parsed = one.schema.safeParse(given.value);
    if (parsed.success) {
      values[name] = parsed.data;
      origins[name] = given.from;
      if (given.path !== undefined) paths[name] = given.path;
    } else {
      wrong.add(name);
      values[name] = one.fallback;
      const reasons = parsed.error.issues.map(({ message }) => message).join("; ");
      mistakes.push(mistake(`${name} (${given.from}): ${reasons}. ${one.meaning}`, name));
    }
  }
  // What a file that cannot be read combines is not known.
  if (read !== undefined) mistakes.push(...together(values as Values<S>, wrong));
  return { values: Object.freeze(values) as Values<S>, paths: Object.freeze(paths), origins, mistakes };
}

export function configurationRefused(mistakes: readonly Mistake[]): CannotStart {
  const lines = mistakes.map(({ sentence }) => `  - ${sentence}`);
  return new CannotStart(`The configuration has ${counted(mistakes.length, "mistake")}:\n${lines.join("\n")}`, {
    exitCode: 78,
    settings: mistakes.flatMap(({ settings }) => settings),
  });
}

/** `undefined` for a file that cannot be read. */
function readFileSettings(
  path: string | undefined,
  mistakes: Mistake[],
): Readonly<Record<string, unknown>> | undefined {
  if (path === undefined) return {};
  let text = "";
  try {
    // Some editors write a byte order mark; a parser may ignore it (RFC 8259 §8.1).
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    const content: unknown = JSON.parse(text);
    if (typeof content === "object" && content !== null && !Array.isArray(content)) {
      for (const name of namesGivenTwice(text))
        mistakes.push(mistake(`${name} is given twice in the configuration file. Keep one of the two.`, name));
      return content as Record<string, unknown>;
    }
    mistakes.push(mistake(`the configuration file ${path} must hold one JSON object.`));
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? `is not JSON (${placeOfMistake(text)})`
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    mistakes.push(mistake(`the configuration file ${path} ${reason}.`));
  }
  return undefined;
}

/** Loaded for a configuration file alone: every command starts with this file. */
const jsonParser = () =>
  createRequire(import.meta.filename)("jsonc-parser") as Pick<typeof import("jsonc-parser"), "parse" | "visit">;

/** Names that have two values: JSON.parse takes the last one, and a person who reads the file from its beginning the first. */
function namesGivenTwice(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const twice = new Set<string>();
  jsonParser().visit(text, {
    onObjectProperty(name, _offset, _length, _line, _character, pathTo) {
      if (pathTo().length > 0) return;
      if (names.has(name)) twice.add(name);
      names.add(name);
    },
  });
  return twice;
}

/** Where a text stops being JSON. The parser's own sentence repeats what is there, which may be a secret. */
function placeOfMistake(text: string): string {
  const mistakes: ParseError[] = [];
  jsonParser().parse(text, mistakes, { disallowComments: true, allowEmptyContent: false });
  const before = text.slice(0, mistakes[0]?.offset ?? text.length).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function rejectUnknown(
  known: ReadonlySet<string>,
  { flags }: SettingSources,
  file: Readonly<Record<string, unknown>>,
  mistakes: Mistake[],
): void {
  for (const name of Object.keys(flags))
    if (!known.has(name)) mistakes.push(mistake(`--${name} is not a setting.${suggestion(name, known)}`));
  for (const name of Object.keys(file))
    if (!known.has(name))
      mistakes.push(mistake(`${name} in the configuration file is not a setting.${suggestion(name, known)}`));
}

/** Every name that a setting can be given by. */
const namesOf = (settings: Settings): ReadonlySet<string> =>
  new Set(Object.entries(settings).flatMap(([name, one]) => (mayBeFile(one) ? [name, `${name}-file`] : [name])));

/**
 * Names of the variables that Kubernetes sets for each Service of a namespace, here for Services called `gatehouse` or
 * `gatehouse-…`.
 */
const OF_A_SERVICE = /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/** `GATEHOUSE_PORT=8080` may be a misspelt setting; `GATEHOUSE_PORT=tcp://10.0.0.7:8080` comes from Kubernetes. */
const isOfService = (name: string, value: string): boolean =>
  OF_A_SERVICE.test(name) || (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value));

/**
 * One sentence for each variable that has our prefix but names no setting (R-X153). A warning only, since other
 * programs set such variables too; the ones that Kubernetes sets for each Service are recognised by their form and
 * ignored. Values are never shown.
 */
export function unknownVariables(settings: Settings, environment: SettingSources["environment"]): readonly string[] {
  const known = namesOf(settings);
  const variables = new Set([...known].map(variableOf));
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !variables.has(name) && !OTHER_VARIABLES.has(name))
    .filter(([name, value = ""]) => !isOfService(name, value))
    .map(([name]) => {
      const advice = suggestion(settingOf(name), known, variableOf);
      return `${name} in the environment is not a setting and is ignored.${advice}`;
    });
}

/** Shells and compose files write "not set" as an empty value; a Service called `gatehouse-public` sets `…_PUBLIC_PORT`. */
const fromEnvironment = (environment: SettingSources["environment"], variable: string): string | undefined => {
  const value = environment[variable] ?? "";
  return value === "" || isOfService(variable, value) ? undefined : value;
};

function findGiven(
  name: string,
  one: Setting<unknown>,
  { flags, environment }: SettingSources,
  file: Readonly<Record<string, unknown>>,
  mistakes: Mistake[],
): Given | undefined {
  const variable = variableOf(name);
  const places: readonly Given[] = [
    { value: flags[name], from: `--${name}` },
    { value: fromEnvironment(environment, variable), from: variable },
    { value: file[name], from: "configuration file" },
  ];
  const direct = places.find(({ value }) => value !== undefined);
  if (!mayBeFile(one)) return direct;
  const variableFile = variableOf(`${name}-file`);
  const path = flags[`${name}-file`] ?? (environment[variableFile] || undefined) ?? file[`${name}-file`];
  if (path === undefined) return direct;
  if (direct !== undefined) {
    mistakes.push(mistake(`${name} is given twice: ${direct.from} and ${name}-file. Keep one.`, name));
    return undefined;
  }
  return readSettingFile(name, one, String(path), mistakes);
}

function readSettingFile(name: string, one: Setting<unknown>, path: string, mistakes: Mistake[]): Given | undefined {
  try {
    if (one.secret && isReadableByAll(path)) {
      mistakes.push(mistake(`${name}-file: ${path} can be read by all users. Run: chmod 600 ${shellWord(path)}`, name));
      return undefined;
    }
    return { value: readFileSync(path, "utf8").trim(), from: `${name}-file`, path };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const sentence = mayBeSecret(one, path)
      ? `${name}-file cannot be read (${code}). It takes the path of a file, and what was given may be the secret itself.`
      : `${name}-file: ${path} cannot be read (${code}).`;
    mistakes.push(mistake(sentence, name));
    return undefined;
  }
}

/** True for what is no path of a file that may only be missing, and could be the value: it is not repeated (S50). */
const mayBeSecret = ({ secret, schema }: Setting<unknown>, path: string): boolean =>
  secret === true && schema.safeParse(path).success && !(path.includes("/") && existsSync(dirname(path)));
