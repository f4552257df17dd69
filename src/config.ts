import { readFileSync } from "node:fs";
import { join } from "node:path";
import { portalSettings } from "./portal/settings.ts";
import { systemClock } from "./runtime/basis/clock.ts";
import { databaseSettings, storeMistakes, storeWarnings } from "./runtime/database/settings.ts";
import { CERTIFICATE_FILES, certificateFindings, httpSettings } from "./runtime/http/settings.ts";
import { processSettings } from "./runtime/process/process-settings.ts";
import type { Role } from "./runtime/process/roles.ts";
import { switchSchema } from "./runtime/process/setting-schemas.ts";
import {
  type CheckTogether,
  configurationRefused,
  examineSettings,
  type Mistake,
  mistake,
  type Setting,
  type Settings,
  unknownVariables,
  type Values,
  writtenValue,
} from "./runtime/process/settings.ts";
import { rpcSettings, socketMistakes } from "./runtime/rpc/settings.ts";
import { sealingSettings } from "./runtime/sealing/settings.ts";
import { temporalMistakes, temporalSettings } from "./runtime/temporal/settings.ts";
import { signOnSettings } from "./sign-on/settings.ts";
import { webhookMistakes, webhooksSettings } from "./webhooks/settings.ts";
import { workforceSettings } from "./workforce/settings.ts";

/** Every setting of the program, part by part. */
export const allSettings = {
  ...processSettings,
  ...httpSettings,
  ...rpcSettings,
  ...databaseSettings,
  ...sealingSettings,
  ...signOnSettings,
  ...workforceSettings,
  ...webhooksSettings,
  ...temporalSettings,
  ...portalSettings,
} satisfies Settings;

export type Config = Values<typeof allSettings> & {
  /** Each domain's settings alone: a domain is given these, not the whole configuration. */
  readonly of: {
    readonly signOn: Values<typeof signOnSettings>;
    readonly workforce: Values<typeof workforceSettings>;
    readonly webhooks: Values<typeof webhooksSettings>;
  };
  /** Of the files by which settings were given, by the names of the settings. */
  readonly paths: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly version: string;
  /** The settled issuer; an origin. */
  readonly issuer: string;
  /** The settled public address of the gateway; an origin. */
  readonly "gateway-url": string;
  readonly "socket-directory": string;
  /** One sentence for the log for each variable of the environment that looks like a setting but is none. */
  readonly warnings: readonly string[];
};

/** The program's version, as package.json has it. */
const version: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as { readonly version: string }
).version;

interface ConfigSources {
  readonly flags: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly roles: readonly Role[];
  /** Replacements for the settings' defaults, by name, as text; `gatehouse demo` gives some. */
  readonly fallbacks?: Readonly<Record<string, string>>;
}

/**
 * Reads the whole configuration, once; only this function reads the environment.
 * @throws CannotStart (exit code 78) with every mistake.
 */
export function readConfig(sources: ConfigSources): Config {
  const { config, mistakes } = examineConfig(sources);
  if (mistakes.length > 0) throw configurationRefused(mistakes);
  return config;
}

/** Reads the whole configuration, with every mistake; a setting with a mistake has its default. */
function examineConfig({ flags, environment = process.env, roles, fallbacks }: ConfigSources): {
  readonly config: Config;
  readonly origins: Readonly<Record<string, string>>;
  readonly mistakes: readonly Mistake[];
} {
  const { config: flagFile, ...settings } = flags;
  const file = flagFile ?? (environment.GATEHOUSE_CONFIG || undefined);
  const sources = { flags: settings, environment, file };
  const together: CheckTogether<typeof allSettings> = (values, wrong) => mistakesTogether(values, wrong, roles);
  const chosen = fallbacks === undefined ? allSettings : withFallbacks(fallbacks);
  const { values, paths, origins, mistakes } = examineSettings(chosen, sources, roles, together);
  const issuer = issuerOf(values);
  const config = Object.freeze({
    ...values,
    of: {
      signOn: valuesOf(signOnSettings, values),
      workforce: valuesOf(workforceSettings, values),
      webhooks: valuesOf(webhooksSettings, values),
    },
    paths,
    roles,
    version,
    warnings: unknownVariables(allSettings, environment),
    issuer: issuer ?? "",
    "log-destination":
      values["log-destination"] === "file"
        ? join(values["data-directory"], "gatehouse.log")
        : values["log-destination"],
    "gateway-url": values["gateway-url"] ?? issuer ?? "",
    "socket-directory": socketDirectoryOf(values),
  });
  return { config, origins, mistakes };
}

/** The values of one part's settings. */
const valuesOf = <S extends Settings>(part: S, values: Values<S>): Values<S> =>
  Object.freeze(Object.fromEntries(Object.keys(part).map((name) => [name, values[name as keyof S]])) as Values<S>);

function withFallbacks(texts: Readonly<Record<string, string>>): typeof allSettings {
  const replaced = Object.entries(allSettings).map(([name, one]: [string, Setting<unknown>]) => [
    name,
    texts[name] === undefined ? one : { ...one, fallback: one.schema.parse(texts[name]) },
  ]);
  return Object.fromEntries(replaced) as typeof allSettings;
}

const socketDirectoryOf = (values: Values<typeof allSettings>): string =>
  values["socket-directory"] ?? join(values["data-directory"], "sockets");

/** The configured issuer; with the development switch there is a default. */
const issuerOf = (values: Values<typeof allSettings>): string | undefined =>
  values.issuer ?? (values.development ? new URL(`http://localhost:${values["public-port"]}`).origin : undefined);

/** Mistakes in combinations of settings of several parts. */
function mistakesTogether(
  values: Values<typeof allSettings>,
  wrong: ReadonlySet<string>,
  roles: readonly Role[],
): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const issuer = issuerOf(values);
  const needsIssuer = roles.includes("edge") || roles.includes("services");
  if (needsIssuer && issuer === undefined && !wrong.has("issuer")) {
    mistakes.push(
      mistake(
        "issuer is missing: set it to the public https origin, or set development to try things out on this machine.",
        "issuer",
      ),
    );
  }
  for (const [name, origin] of [
    ["issuer", issuer],
    ["gateway-url", values["gateway-url"]],
  ] as const)
    if (origin?.startsWith("http:") && !values.development)
      mistakes.push(
        mistake(`${name} (${origin}) must be https. Plain http is for development: set development.`, name),
      );
  const needsKeys = roles.includes("services") && values["store-url"] !== undefined;
  if (needsKeys && values["master-keys"] === undefined && !wrong.has("master-keys")) {
    mistakes.push(
      mistake(
        "master-keys is missing: processes that share a PostgreSQL store must share their master keys. Make one with: openssl rand -base64 32",
        "master-keys",
      ),
    );
  }
  if ((values["tls-certificate-file"] === undefined) !== (values["tls-key-file"] === undefined)) {
    mistakes.push(
      mistake("tls-certificate-file and tls-key-file belong together: set both, or neither.", ...CERTIFICATE_FILES),
    );
  }
  if (values["tls-certificate-file"] !== undefined && issuer?.startsWith("http:")) {
    mistakes.push(
      mistake(
        `issuer (${issuer}) must be https where the public listener serves TLS (tls-certificate-file): set issuer.`,
        "issuer",
      ),
    );
  }
  if (roles.includes("edge")) mistakes.push(...portMistakes(values));
  // Before the first role makes anything; commands about the store have no role, and make no socket.
  if (roles.length > 0) mistakes.push(...socketMistakes(socketDirectoryOf(values)));
  // The edge starts last and stops first. In one process with the worker, its drain shortens the worker's grace time.
  const drainMs = roles.includes("edge") && roles.includes("worker") ? values["drain-milliseconds"] : 0;
  return [...mistakes, ...storeMistakes(values), ...webhookMistakes(values, drainMs), ...temporalMistakes(values)];
}

/** A port that the management listener has by the time at which the public one begins. */
function portMistakes(values: Values<typeof allSettings>): readonly Mistake[] {
  const { "public-port": port, "public-host": host, "management-host": managementHost } = values;
  if (port === 0 || port !== values["management-port"] || !overlap(host, managementHost)) return [];
  const sentence = `public-port and management-port are both ${port}: set one of them to another.`;
  return [mistake(sentence, "public-port", "management-port")];
}

/** True when a port cannot be listened at on both hosts: they are the same, or one stands for every address. */
const overlap = (one: string, other: string): boolean =>
  one === other || [one, other].some((host) => ["0.0.0.0", "::"].includes(host));

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

interface DescriptionOptions {
  readonly flags: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  /** One JSON document in place of lines. */
  readonly asJson: boolean;
  /** Lays out a line for standard output. */
  readonly folded: (line: string) => string;
}

/**
 * Prints every setting with its value; warnings go to standard error, or into the document. Secrets are never shown.
 * @throws CannotStart (exit code 78) with every mistake that a start of these roles would refuse, after the list.
 */
export function describeConfiguration({ flags, roles, asJson, folded }: DescriptionOptions): void {
  const { config, origins, mistakes: ofSettings } = examineConfig({ flags, roles });
  // A missing issuer is a mistake already, and no origin.
  const publicOrigins = [config.issuer, config["gateway-url"]].filter((origin) => origin !== "");
  const ofFiles = roles.includes("edge")
    ? certificateFindings(config, publicOrigins, systemClock.now())
    : { mistakes: [], warnings: [] };
  const mistakes = [...ofSettings, ...ofFiles.mistakes];
  const ofStore = roles.includes("services") ? storeWarnings(config) : [];
  const warnings = [...config.warnings, ...ofFiles.warnings, ...ofStore];
  const settings = describeSettings(config, origins);
  if (asJson) process.stdout.write(`${JSON.stringify({ settings, warnings }, null, 2)}\n`);
  else {
    for (const warning of warnings) process.stderr.write(`gatehouse: ${warning}\n`);
    process.stdout.write(asLines(settings, folded));
  }
  if (mistakes.length > 0) throw configurationRefused(mistakes);
}

const WHAT_IS_SHOWN =
  "# What a Gatehouse would use that is started with these flags and this environment; one that runs may have others.";

function asLines(settings: readonly DescribedSetting[], folded: (line: string) => string): string {
  const lines = settings.map(({ name, state, value, unit, from, meaning }) => {
    const shown = value === null ? STATES[state] : value || "(none)";
    return `${name} = ${value === null || unit === null ? shown : `${shown} ${unit}`}\n${folded(`    ${from === null ? "" : `Given by: ${from}. `}${meaning}`)}\n`;
  });
  return `${folded(WHAT_IS_SHOWN)}\n${lines.join("")}`;
}

/** What is known of a setting's value, each with what a list for people shows in its place. */
const STATES = { set: "", not_set: "(not set)", secret: "(secret)", lengthy: "(given)" } as const;

interface DescribedSetting {
  readonly name: string;
  readonly state: keyof typeof STATES;
  /** As a start takes it; `null` unless the state is `set`. */
  readonly value: string | null;
  readonly unit: string | null;
  /** Where it was given; `null` for a default. */
  readonly from: string | null;
  readonly meaning: string;
}

/** Each setting as `gatehouse config` shows it. */
function describeSettings(config: Config, origins: Readonly<Record<string, string>>): readonly DescribedSetting[] {
  return (Object.entries(allSettings) as [keyof typeof allSettings, Setting<unknown>][]).map(([name, one]) => {
    const state = stateOf(one, config[name]);
    return {
      name,
      state,
      value: state === "set" ? writtenValue(one, config[name]) : null,
      unit: one.unit ?? null,
      from: origins[name] ?? null,
      meaning: one.meaning,
    };
  });
}

function stateOf({ secret, lengthy }: Setting<unknown>, value: unknown): keyof typeof STATES {
  if (value === undefined || value === "") return "not_set";
  if (secret === true) return "secret";
  return lengthy === true ? "lengthy" : "set";
}
