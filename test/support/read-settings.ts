import type { Role } from "../../src/runtime/process/roles.ts";
import {
  configurationRefused,
  examineSettings,
  type SettingSources,
  type Settings,
  type Values,
} from "../../src/runtime/process/settings.ts";

/** Settings as a start reads them. @throws CannotStart (exit code 78) with every mistake. */
export function readSettings<S extends Settings>(
  settings: S,
  sources: SettingSources,
  roles: readonly Role[],
): Values<S> {
  const { values, mistakes } = examineSettings(settings, sources, roles);
  if (mistakes.length > 0) throw configurationRefused(mistakes);
  return values;
}
