import { readFileSync } from "node:fs";
import { join } from "node:path";
import { portalSettings } from "./portal/settings.ts";
import { databaseSettings, storeMistakes } from "./runtime/database/settings.ts";
import { CERTIFICATE_FILES, httpSettings } from "./runtime/http/settings.ts";
import { processSettings } from "./runtime/process/process-settings.ts";
import type { Role } from "./runtime/process/roles.ts";
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
 * Reads the whole configuration, once.
 * @throws CannotStart (exit code 78) with every mistake.
 */
export function readConfig(sources: ConfigSources): Config {
  const { config, mistakes } = examineConfig(sources);
  if (mistakes.length > 0) throw configurationRefused(mistakes);
  return config;
}

/** As `readConfig`, with every mistake; a setting with one has its default. Only this function reads the environment. */
export function examineConfig({ flags, environment = process.env, roles, fallbacks }: ConfigSources): {
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
