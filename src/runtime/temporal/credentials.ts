import type { Log } from "../process/log.ts";
import { examineSettings, type Values } from "../process/settings.ts";
import type { TemporalCredentials } from "./link.ts";
import { temporalMistakes, temporalSettings } from "./settings.ts";

/** The credentials as the files of the settings have them. */
export interface RenewedCredentials {
  /** As they are now; while the files cannot be used, as they were before. */
  latest(): TemporalCredentials;
  /** Why the files could not be used at the latest look; `undefined` when they could. */
  trouble(): string | undefined;
}

/**
 * Credentials for the Temporal server, read again at each look where they were given as files (R-X440). The log says once
 * when the files cannot be used: of two that are replaced one after the other, the first does not fit the second.
 * @param paths of the files by which settings were given, by the names of the settings.
 */
export function renewedCredentials(
  given: Values<typeof temporalSettings>,
  paths: Readonly<Record<string, string>>,
  log: Log,
): RenewedCredentials {
  const files = Object.entries(paths).filter(([name]) => name in temporalSettings);
  const ofFiles = Object.fromEntries(Object.entries(temporalSettings).filter(([name]) => name in paths));
  const flags = Object.fromEntries(files.map(([name, path]) => [`${name}-file`, path]));
  let latest = credentialsOf(given);
  let trouble: string | undefined;
  return {
    latest() {
      const { values, mistakes } = examineSettings(ofFiles, { flags, environment: {} }, []);
      const settings = { ...given, ...values };
      const wrong = (mistakes.length > 0 ? mistakes : temporalMistakes(settings)).map(({ sentence }) => sentence);
      const found = wrong.length > 0 ? wrong.join(" ") : undefined;
      if (found !== undefined && found !== trouble)
        log.warn("The files of Temporal's credentials cannot be used; the previous ones still count.", {
          detail: found,
        });
      trouble = found;
      if (found === undefined) latest = credentialsOf(settings);
      return latest;
    },
    trouble: () => trouble,
  };
}

function credentialsOf(settings: Values<typeof temporalSettings>): TemporalCredentials {
  const { "temporal-tls-certificate": certificate, "temporal-tls-key": key } = settings;
  if (!settings["temporal-tls"]) return { tls: undefined, apiKey: undefined };
  return {
    tls: {
      authorities: settings["temporal-tls-ca"],
      serverName: settings["temporal-tls-server-name"],
      own: certificate === undefined || key === undefined ? undefined : { certificate, key },
    },
    apiKey: settings["temporal-api-key"],
  };
}
