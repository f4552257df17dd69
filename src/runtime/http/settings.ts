import { isIP } from "node:net";
import { CannotStart } from "../basis/errors.ts";
import { ageingOf } from "../process/certificate-ageing.ts";
import { text, textList, wholeNumber } from "../process/setting-schemas.ts";
import { defineSettings, type Mistake, mistake, setting, type Values } from "../process/settings.ts";
import { readCertificate, uncovered } from "./certificate.ts";

/** An address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  // Fastify's list of proxies takes no network of zero bits, which would be everybody.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}

const proxyList = textList.refine((items) => items.every(isNetwork), {
  error: "must be addresses or networks, like 10.0.3.0/24,fd00::7",
});

export const httpSettings = defineSettings({
  "public-host": setting({
    schema: text,
    fallback: "127.0.0.1",
    meaning: "Address that the public listener binds to; :: or 0.0.0.0 for all.",
    neededBy: ["edge"],
  }),
  "public-port": setting({
    schema: wholeNumber(0, 65_535),
    fallback: 8080,
    meaning: "Port of the public listener: sign-on, gateway, contracts and front page.",
    neededBy: ["edge"],
  }),
  "tls-certificate-file": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    meaning:
      "PEM file with the certificate chain that the public listener serves, its own certificate first; plain HTTP without. Read again when it changes.",
    neededBy: ["edge"],
  }),
  "tls-key-file": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    meaning: "PEM file with the private key of tls-certificate-file, without a passphrase. Read again when it changes.",
    neededBy: ["edge"],
  }),
  "hsts-max-age-seconds": setting({
    schema: wholeNumber(0, 63_072_000),
    fallback: 31_536_000,
    unit: "seconds",
    meaning:
      "How long browsers that connected by TLS do not try plain HTTP at this host name, on any port (strict-transport-security, RFC 6797); 0 ends it. Sent where the public listener serves TLS; a proxy sends its own.",
    neededBy: ["edge"],
  }),
  "trusted-proxies": setting<readonly string[]>({
    schema: proxyList,
    fallback: [],
    meaning:
      "Networks of the proxies in front of the public listener, like 10.0.3.0/24,fd00::7: the address they name in x-forwarded-for counts as the caller. Other headers of a proxy are ignored.",
    neededBy: ["edge"],
  }),
  "drain-milliseconds": setting({
    schema: wholeNumber(0, 60_000),
    fallback: 500,
    unit: "milliseconds",
    meaning:
      "How long an edge, or services in a process of their own, keep answering after SIGTERM while they report not ready; give a load balancer time to notice. A stop has 20 seconds in all: services use at most 12 of them for this; what an edge uses is taken from its last requests.",
    neededBy: ["edge", "services"],
  }),
});

/** The settings that name the certificate and its key. */
export const CERTIFICATE_FILES = ["tls-certificate-file", "tls-key-file"] as const;

/**
 * What a start would say of the certificate and its key: by which it fails, and by which it only warns.
 * @param origins with the hostnames that it should cover.
 */
export function certificateFindings(
  values: Values<typeof httpSettings>,
  origins: readonly string[],
  now: Date,
): {
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly string[];
} {
  const { "tls-certificate-file": certificateFile, "tls-key-file": keyFile } = values;
  if (certificateFile === undefined || keyFile === undefined) return { mistakes: [], warnings: [] };
  try {
    const certificate = readCertificate({ certificateFile, keyFile });
    const { openKeyAdvice } = certificate;
    const ageing = ageingOf(certificate, now, "tls-certificate-file");
    return {
      mistakes: [],
      warnings: [
        ...(ageing === undefined ? [] : [`The certificate in ${certificateFile} ${ageing.sentence}.`]),
        ...uncovered(certificate, origins).map(
          (hostname) =>
            `The certificate in ${certificateFile} does not cover a public hostname of this server: ${hostname}.`,
        ),
        ...(openKeyAdvice === undefined ? [] : [openKeyAdvice]),
      ],
    };
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { mistakes: [mistake(error.message, ...CERTIFICATE_FILES)], warnings: [] };
  }
}
