import type { Clock } from "../basis/clock.ts";
import { type Ageing, ageingOf } from "../process/certificate-ageing.ts";
import type { HealthCheck } from "../process/lifecycle.ts";
import type { Log } from "../process/log.ts";
import { type Loop, pause, withoutDeadline } from "../process/loop.ts";
import { Gauge, type Metrics } from "../process/metrics.ts";
import { type Certificate, type CertificateFiles, readCertificate } from "./certificate.ts";

/** Short enough that operators need not wait, and cheap: two small files. */
const LOOK_EVERY_MS = 5_000;

const SETTING = "tls-certificate-file";

interface CertificateRenewalOptions {
  readonly files: CertificateFiles;
  /** The certificate that the server serves now. */
  readonly served: Certificate;
  readonly server: { renew(certificate: Certificate): void };
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called with each certificate that is served from then on. */
  readonly onRenewed?: (certificate: Certificate) => void;
  /** 5 s by default. */
  readonly lookEveryMs?: number;
}

/**
 * Keeps the served certificate equal to the files while the process runs: new connections get a changed certificate
 * without a restart. Invalid files only degrade the health, as does a certificate near its end; the log says both once, and
 * when all users of the machine can read the key (R-X401). One that clients refuse for its time replaces none that they take.
 */
export function certificateRenewal(options: CertificateRenewalOptions): {
  readonly loop: Loop;
  readonly check: HealthCheck;
} {
  const { files, server, clock, log, metrics, onRenewed, lookEveryMs = LOOK_EVERY_MS } = options;
  let { served } = options;
  let trouble: string | undefined;
  const expiry = new Gauge({
    name: "gatehouse_tls_certificate_expiry_seconds",
    help: "When the certificate that is served ends, in seconds since 1970.",
    registers: [metrics],
  });
  const tellExpiry = () => expiry.set(Math.floor(served.expiresAt.getTime() / 1000));
  tellExpiry();

  let said: Ageing | undefined;
  const sayAgeing = () => {
    const ageing = ageingOf(served, clock.now(), SETTING);
    if (ageing?.kind === said?.kind) return;
    said = ageing;
    if (ageing !== undefined) log.warn(SENTENCES[ageing.kind], { detail: `The certificate ${ageing.sentence}.` });
  };
  sayAgeing();

  let saidOfKey: string | undefined;
  const sayOpenKey = ({ openKeyAdvice }: Certificate) => {
    if (openKeyAdvice === saidOfKey) return;
    saidOfKey = openKeyAdvice;
    if (openKeyAdvice !== undefined)
      log.warn("The private key of the certificate can be read by others.", { detail: openKeyAdvice });
  };
  sayOpenKey(served);

  const serve = (found: Certificate) => {
    server.renew(found);
    served = found;
    tellExpiry();
    onRenewed?.(found);
    log.info("The certificate was renewed.", { detail: `It ends at ${found.expiresAt.toISOString()}.` });
  };
  const look = (): void => {
    try {
      const found = readCertificate(files);
      sayOpenKey(found);
      const isSame = found.chain.equals(served.chain) && found.key.equals(served.key);
      if (!isSame) assertNoWorse(found, served, files, clock.now());
      trouble = undefined;
      if (!isSame) serve(found);
    } catch (error) {
      // Two files are replaced one after the other: a pair that does not match may match at the next check.
      const sentence = (error as Error).message;
      if (trouble === sentence) return;
      trouble = sentence;
      log.warn("The certificate files cannot be used; the previous certificate is still served.", { detail: sentence });
    }
  };

  return {
    loop: {
      name: "certificate renewal",
      async run(signal, pass = withoutDeadline(signal)) {
        while (!signal.aborted) {
          await pause(lookEveryMs, signal);
          await pass(async () => {
            look();
            sayAgeing();
          });
        }
      },
    },
    check: {
      name: "certificate",
      degrades: true,
      async check() {
        if (trouble !== undefined) return trouble;
        return ageingOf(served, clock.now(), SETTING)?.sentence;
      },
    },
  };
}

const SENTENCES: Readonly<Record<Ageing["kind"], string>> = {
  future: "The certificate that is served is not valid yet: clients refuse it.",
  soon: "The certificate that is served expires soon.",
  expired: "The certificate that is served has expired: clients refuse it.",
};

/** @throws Error for a certificate that clients refuse for its time, in place of one that they take. */
function assertNoWorse(
  found: Certificate,
  served: Certificate,
  { certificateFile }: CertificateFiles,
  now: Date,
): void {
  const isRefused = (ageing: Ageing | undefined) => ageing !== undefined && ageing.kind !== "soon";
  const ageing = ageingOf(found, now, SETTING);
  if (ageing !== undefined && isRefused(ageing) && !isRefused(ageingOf(served, now, SETTING)))
    throw new Error(`The certificate in ${certificateFile} ${ageing.sentence}.`);
}
