/** Longest address, in characters (RFC 5321 §4.5.3.1.3, less the angle brackets). */
export const EMAIL_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 63;

/** The address as it is compared: trimmed, lower-cased and in NFC (R-D2). */
export const emailKey = (email: string): string => email.trim().toLowerCase().normalize("NFC");

/**
 * True for `local@domain` as people have it: no spaces or control characters, a domain of at least two labels, letters beyond ASCII
 * allowed. Quoted local parts and address literals are not taken.
 */
export function isEmailAddress(email: string): boolean {
  if (email.length > EMAIL_LENGTH_MAX || !email.isWellFormed()) return false;
  const [local = "", domain = "", ...more] = email.split("@");
  return more.length === 0 && isLocalPart(local) && isDomain(domain);
}

function isLocalPart(local: string): boolean {
  if (local === "" || local.length > LOCAL_LENGTH_MAX) return false;
  return !/[\s\p{Cc}\p{Cf}"(),:;<>[\\\]]/u.test(local) && !local.split(".").includes("");
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
