import type { Clock } from "../basis/clock.ts";
import type { HealthCheck } from "../basis/lifecycle.ts";
import type { Log } from "../basis/log.ts";
import { type Loop, pause, withoutDeadline } from "../basis/loop.ts";
import { Gauge, type Metrics } from "../basis/metrics.ts";
import { type Certificate, type CertificateFiles, readCertificate } from "./certificate.ts";

/** Short enough that operators need not wait, and cheap: two small files. */
const LOOK_EVERY_MS = 5_000;
/** By then the operator's automatic renewal has failed. */
const EXPIRES_SOON_MS = 7 * 24 * 60 * 60 * 1000;

interface CertificateRenewalOptions {
  readonly files: CertificateFiles;
  /** The certificate that the server serves now. */
  readonly served: Certificate;
  readonly server: { renew(certificate: Certificate): void };
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** 5 s by default. */
  readonly lookEveryMs?: number;
}

/**
 * Keeps the served certificate equal to the files while the process runs: new connections get a changed certificate
 * without a restart. Invalid files only degrade the health, as does the last week of a certificate.
 */
export function certificateRenewal(options: CertificateRenewalOptions): {
  readonly loop: Loop;
  readonly check: HealthCheck;
} {
  const { files, server, clock, log, metrics, lookEveryMs = LOOK_EVERY_MS } = options;
  let { served } = options;
  let trouble: string | undefined;
  const expiry = new Gauge({
    name: "gatehouse_tls_certificate_expiry_seconds",
    help: "When the certificate that is served ends, in seconds since 1970.",
    registers: [metrics],
  });
  const tellExpiry = () => expiry.set(Math.floor(served.expiresAt.getTime() / 1000));
  tellExpiry();

  const look = (): void => {
    try {
      const found = readCertificate(files);
      trouble = undefined;
      if (found.chain.equals(served.chain) && found.key.equals(served.key)) return;
      server.renew(found);
      served = found;
      tellExpiry();
      log.info("The certificate was renewed.", { detail: `It ends at ${found.expiresAt.toISOString()}.` });
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
          await pass(async () => look());
        }
      },
    },
    check: {
      name: "certificate",
      degrades: true,
      async check() {
        if (trouble !== undefined) return trouble;
        const leftMs = served.expiresAt.getTime() - clock.now().getTime();
        if (leftMs <= 0) return "has expired: renew tls-certificate-file";
        return leftMs < EXPIRES_SOON_MS
          ? `expires at ${served.expiresAt.toISOString()}: renew tls-certificate-file`
          : undefined;
      },
    },
  };
}
