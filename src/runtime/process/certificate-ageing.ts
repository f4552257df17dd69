import type { X509Certificate } from "node:crypto";
import { DAY_MS } from "../basis/durations.ts";

/** By then the operator's automatic renewal has failed. Short certificates are renewed with a third of their time left. */
const EXPIRES_SOON = { ms: 7 * DAY_MS, ofItsTime: 1 / 4 };

/** The time for which a certificate is valid. */
export interface ValidTime {
  readonly validFrom: Date;
  readonly expiresAt: Date;
}

export const validTimeOf = ({ validFromDate, validToDate }: X509Certificate): ValidTime => ({
  validFrom: validFromDate,
  expiresAt: validToDate,
});

/** What its time has done to a certificate. */
export interface Ageing {
  readonly kind: "future" | "soon" | "expired";
  /** Behind “The certificate”. */
  readonly sentence: string;
}

/**
 * `undefined` for a certificate that others take for longer than its last week, or the last quarter of a short time.
 * @param setting that names the certificate.
 */
export function ageingOf({ validFrom, expiresAt }: ValidTime, now: Date, setting: string): Ageing | undefined {
  if (now < validFrom)
    return { kind: "future", sentence: `is not valid before ${validFrom.toISOString()}: renew ${setting}` };
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return { kind: "expired", sentence: `has expired: renew ${setting}` };
  const lifetimeMs = expiresAt.getTime() - validFrom.getTime();
  if (leftMs >= Math.min(EXPIRES_SOON.ms, lifetimeMs * EXPIRES_SOON.ofItsTime)) return undefined;
  return { kind: "soon", sentence: `expires at ${expiresAt.toISOString()}: renew ${setting}` };
}
