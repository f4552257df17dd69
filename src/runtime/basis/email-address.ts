/** Longest address, in characters (RFC 5321 §4.5.3.1.3, less the angle brackets). */
export const EMAIL_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 63;

/** The address as it is compared: trimmed, lower-cased and in NFC (R-D2). */
export const emailKey = (email: string): string => email.trim().toLowerCase().normalize("NFC");

/**
 * True for `local@domain` as people have it: no spaces, control characters or ones that are not shown, a domain of at least two labels,
 * letters beyond ASCII allowed. Quoted local parts and address literals are not taken. Judged as it is compared.
 */
export function isEmailAddress(email: string): boolean {
  if (email.length > EMAIL_LENGTH_MAX || !email.isWellFormed() || UNSHOWN.test(email)) return false;
  const [local = "", domain = "", ...more] = email.normalize("NFC").split("@");
  return more.length === 0 && isLocalPart(local) && isDomain(domain);
}

/** DI: what Unicode has as ignorable where it cannot be shown, among it letters and marks. */
const UNSHOWN = /[\s\p{Cc}\p{Cf}\p{DI}]/u;

function isLocalPart(local: string): boolean {
  if (local === "" || local.length > LOCAL_LENGTH_MAX) return false;
  return !/["(),:;<>[\\\]]/.test(local) && !local.split(".").includes("");
}

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length >= 2 && labels.every(isLabel);
}

const isLabel = (label: string): boolean =>
  label.length <= LABEL_LENGTH_MAX &&
  /^[\p{L}\p{M}\p{N}-]+$/u.test(label) &&
  !label.startsWith("-") &&
  !label.endsWith("-");
