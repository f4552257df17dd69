import type { Clock } from "../basis/clock.ts";
import { ageingOf, type ValidTime } from "./certificate-ageing.ts";
import type { HealthCheck } from "./lifecycle.ts";
import type { Log } from "./log.ts";
import { Gauge, type Metrics } from "./metrics.ts";

interface ClientCertificateOptions {
  readonly name: string;
  /** To which it proves us. */
  readonly server: string;
  /** That names the certificate. */
  readonly setting: string;
  readonly metric: string;
  /** Of the certificate as it is now; `undefined` where there is none that can be read. */
  readonly validTime: () => ValidTime | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Says that a certificate that proves us to a server expires soon, or has expired: the log at the start, health whenever it is
 * asked. A connection that is open goes on without it, so that nothing else would say so before the next one fails (R-X441).
 */
export function clientCertificateCheck(options: ClientCertificateOptions): HealthCheck {
  const { name, server, setting, metric, validTime, clock, log, metrics } = options;
  new Gauge({
    name: metric,
    help: `When the certificate that proves us to ${server} ends, in seconds since 1970.`,
    registers: [metrics],
    collect() {
      this.remove();
      const time = validTime();
      if (time !== undefined) this.set(Math.floor(time.expiresAt.getTime() / 1000));
    },
  });
  const ageing = () => {
    const time = validTime();
    return time && ageingOf(time, clock.now(), setting)?.sentence;
  };
  const atStart = ageing();
  if (atStart !== undefined)
    log.warn(`The certificate that proves us to ${server} needs to be renewed.`, { detail: `It ${atStart}.` });
  return { name, degrades: true, check: async () => ageing() };
}
