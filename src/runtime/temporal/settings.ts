import { createPrivateKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import { isPort } from "../basis/url-port.ts";
import { ageingOf, validTimeOf } from "../process/certificate-ageing.ts";
import { switchSchema, text } from "../process/setting-schemas.ts";
import { defineSettings, type Mistake, mistake, setting, type Values } from "../process/settings.ts";

const SERVER_ADDRESS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/;

const serverAddress = z
  .string({ error: "must be text" })
  .refine((given) => isPort(SERVER_ADDRESS.exec(given)?.[1] ?? ""), {
    error: "must be a host and a port, like 127.0.0.1:7233",
  });

const webAddress = z
  .string({ error: "must be text" })
  .refine((given) => /^https?:\/\//.test(given) && URL.canParse(given), {
    error: "must be an address, like http://127.0.0.1:8233",
  });

const parses = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
};

const certificate = text.refine((given) => parses(() => new X509Certificate(given)), {
  error: "must be certificates in PEM form",
});

const privateKey = text.refine((given) => parses(() => createPrivateKey(given)), {
  error: "must be a private key in PEM form, without a passphrase",
});

/**
 * The Temporal server that runs retries and code expiry. Without an address no server is used, and its packages are not
 * loaded.
 */
export const temporalSettings = defineSettings({
  "temporal-address": setting<string | undefined>({
    schema: serverAddress,
    fallback: undefined,
    meaning:
      "Host and port of a Temporal server. With it, webhook retries and the expiry of authorization codes are workflows that can be watched there; without it, the store does both. Services and worker must be given the same.",
    neededBy: ["services", "worker"],
  }),
  "temporal-namespace": setting({
    schema: text,
    fallback: "default",
    meaning: "The namespace on that server; each installation needs its own.",
    neededBy: ["worker"],
  }),
  "temporal-tls": setting({
    schema: switchSchema,
    fallback: false,
    meaning: "Connect to the Temporal server by TLS.",
    neededBy: ["worker"],
  }),
  "temporal-tls-ca": setting<string | undefined>({
    schema: certificate,
    fallback: undefined,
    lengthy: true,
    meaning:
      "Certificates (PEM) of the authorities trusted to issue the Temporal server's certificate; the operating system's by default.",
    neededBy: ["worker"],
  }),
  "temporal-tls-server-name": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    meaning:
      "The name that the Temporal server's certificate must be for, when it is not the host of temporal-address.",
    neededBy: ["worker"],
  }),
  "temporal-tls-certificate": setting<string | undefined>({
    schema: certificate,
    fallback: undefined,
    lengthy: true,
    meaning: "Our certificate (PEM), with its chain, for a Temporal server that asks for one (mTLS).",
    neededBy: ["worker"],
  }),
  "temporal-tls-key": setting<string | undefined>({
    schema: privateKey,
    fallback: undefined,
    secret: true,
    meaning: "The private key (PEM) of temporal-tls-certificate.",
    neededBy: ["worker"],
  }),
  "temporal-api-key": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    secret: true,
    meaning: "The API key that the Temporal server asks for; sent only with temporal-tls.",
    neededBy: ["worker"],
  }),
  "temporal-ui-url": setting<string | undefined>({
    schema: webAddress,
    fallback: undefined,
    meaning: "Where operators open the Temporal UI; `make run` prints it.",
    neededBy: ["worker"],
  }),
});

/** Settings that have an effect only with TLS. */
const OF_TLS = ["temporal-tls-ca", "temporal-tls-server-name", "temporal-tls-certificate", "temporal-tls-key"] as const;

const PAIR = ["temporal-tls-certificate", "temporal-tls-key"] as const;

/** Mistakes in combinations of settings that are each valid. */
export function temporalMistakes(settings: Values<typeof temporalSettings>): readonly Mistake[] {
  const { "temporal-tls": tls, "temporal-tls-certificate": certificate, "temporal-tls-key": key } = settings;
  const mistakes: Mistake[] = [];
  if (settings["temporal-api-key"] !== undefined && !tls)
    mistakes.push(
      mistake("temporal-api-key would travel in the clear: set temporal-tls, or leave the key out.", "temporal-tls"),
    );
  const idle = OF_TLS.filter((name) => settings[name] !== undefined);
  if (idle.length > 0 && !tls)
    mistakes.push(
      mistake(`${idle.join(", ")} without TLS: set temporal-tls, or leave it out.`, "temporal-tls", ...idle),
    );
  if ((certificate === undefined) !== (key === undefined))
    mistakes.push(
      mistake("temporal-tls-certificate and temporal-tls-key belong together: give both, or neither.", ...PAIR),
    );
  else if (certificate !== undefined && key !== undefined && !isKeyOf(key, certificate))
    mistakes.push(
      mistake("temporal-tls-key is not the key of temporal-tls-certificate: give those that belong together.", ...PAIR),
    );
  return mistakes;
}

/** What `gatehouse config` warns of. */
export function temporalWarnings(settings: Values<typeof temporalSettings>, now: Date): readonly string[] {
  const { "temporal-tls-certificate": certificate } = settings;
  if (certificate === undefined) return [];
  const ageing = ageingOf(validTimeOf(new X509Certificate(certificate)), now, PAIR[0]);
  return ageing === undefined ? [] : [`The certificate that proves us to Temporal ${ageing.sentence}.`];
}

const isKeyOf = (key: string, certificate: string): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
