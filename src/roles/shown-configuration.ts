import { systemClock } from "#runtime/basis/clock.ts";
import { storeWarnings } from "#runtime/database/settings.ts";
import { certificateFindings } from "#runtime/http/settings.ts";
import type { Role } from "#runtime/process/roles.ts";
import { configurationRefused, type Setting, writtenValue } from "#runtime/process/settings.ts";
import { temporalWarnings } from "#runtime/temporal/settings.ts";
import { allSettings, type Config, examineConfig } from "../config.ts";

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
  const now = systemClock.now();
  const ofFiles = roles.includes("edge")
    ? certificateFindings(config, publicOrigins, now)
    : { mistakes: [], warnings: [] };
  const mistakes = [...ofSettings, ...ofFiles.mistakes];
  const ofStore = roles.includes("services") ? storeWarnings(config, now) : [];
  const ofTemporal = roles.includes("worker") ? temporalWarnings(config, now) : [];
  const warnings = [...config.warnings, ...ofFiles.warnings, ...ofStore, ...ofTemporal];
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
