import type { Clock } from "../basis/clock.ts";
import type { HealthCheck } from "../basis/lifecycle.ts";
import type { Log } from "../basis/log.ts";
import { type Loop, pause, withoutDeadline } from "../basis/loop.ts";
import { Gauge, type Metrics } from "../basis/metrics.ts";
import { type Certificate, type CertificateFiles, readCertificate } from "./certificate.ts";

/** Often enough that nobody waits for it, and two small files to read. */
const LOOK_EVERY_MS = 5_000;
/** Whatever renews certificates has failed by then. */
const EXPIRES_SOON_MS = 7 * 24 * 60 * 60 * 1000;

export interface CertificateRenewalOptions {
  readonly files: CertificateFiles;
  /** What the server serves now. */
  readonly served: Certificate;
  readonly server: { renew(certificate: Certificate): void };
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** 5 s unless given. */
  readonly lookEveryMs?: number;
}

/**
 * Serves what the files say for as long as the process runs: a changed certificate is taken for new connections, without a restart. Files
 * that are wrong change nothing but the health, which is degraded then, as it is in the last week of a certificate.
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
      // Whoever replaces two files replaces one after the other: what is wrong once may be right at the next look.
      const sentence = (error as Error).message;
      if (trouble === sentence) return;
      trouble = sentence;
      log.warn("The certificate files cannot be used; the certificate of before is served.", { detail: sentence });
    }
  };

  return {
    loop: {
      name: "certificate renewal",
      async run(signal, round = withoutDeadline(signal)) {
        while (!signal.aborted) {
          await pause(lookEveryMs, signal);
          await round(async () => look());
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
