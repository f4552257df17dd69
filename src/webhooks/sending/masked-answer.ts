import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";

/** In place of a value, whatever its length. */
const MASK = "********";
/** What every delivery has; all others are the subscription's own, with a sealed value. */
const OURS: ReadonlySet<string> = new Set([
  ...["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"],
]);
/** Shorter values are in too many words: they are masked where they are a word of their own. */
const ANYWHERE_FROM = 4;

/** Masks a text of ASCII, or of bytes as `latin1`; one that was cut may end within a value. */
export type Mask = (text: string, isCut: boolean) => string;

/**
 * What masks the values of an attempt's extra headers in an answer to it (R-X342): as they were sent, without a scheme
 * in front (`Bearer `), and as base64, JSON, a URL or HTML spells them. Returns `undefined` when there is nothing to mask.
 */
export function maskOf(headers: ClaimedAttempt["headers"]): Mask | undefined {
  const values = headers.filter(({ name }) => !OURS.has(name.toLowerCase())).flatMap(secretsOf);
  if (values.length === 0) return undefined;
  // The longest first, so that no part of one is left beside a shorter one.
  const spellings = [...new Set(values.flatMap(spellingsOf))].toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(spellings.map(patternOf).join("|"), "g");
  return (text, isCut) => {
    const masked = text.replace(pattern, MASK);
    return isCut ? maskEnd(masked, spellings) : masked;
  };
}

/** The value, what is behind a scheme in it, and of `Basic` what that encodes. */
function secretsOf({ value }: ClaimedAttempt["headers"][number]): readonly string[] {
  const [, scheme = "", secret] = /^([A-Za-z][A-Za-z0-9-]*) +(\S.*)$/.exec(value) ?? [];
  if (secret === undefined) return [value];
  if (scheme.toLowerCase() !== "basic") return [value, secret];
  const decoded = Buffer.from(secret, "base64").toString("latin1");
  const password = decoded.slice(decoded.indexOf(":") + 1);
  return [value, secret, decoded, password].filter((one) => one !== "");
}

function spellingsOf(value: string): readonly string[] {
  const base64 = Buffer.from(value, "latin1").toString("base64");
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value);
  return [
    ...[value, json, json.replaceAll("/", "\\/"), url, url.replaceAll("%20", "+"), inHtml(value)],
    ...[base64, base64.replace(/=+$/, ""), Buffer.from(value, "latin1").toString("base64url")],
  ];
}

const inHtml = (value: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

function patternOf(spelling: string): string {
  const escaped = spelling.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return spelling.length < ANYWHERE_FROM ? `(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])` : escaped;
}

/** Masks the beginning of a value at the end of the text. */
function maskEnd(text: string, spellings: readonly string[]): string {
  const begins = spellings.flatMap((spelling) => {
    const begin = spelling.slice(0, ANYWHERE_FROM);
    let at = text.indexOf(begin, Math.max(0, text.length - spelling.length));
    while (at >= 0 && !spelling.startsWith(text.slice(at))) at = text.indexOf(begin, at + 1);
    return at < 0 ? [] : [at];
  });
  return begins.length === 0 ? text : text.slice(0, Math.min(...begins)) + MASK;
}
