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
  const secrets = [...new Set(values.flatMap(withBase64))];
  return (text, isCut) => {
    const readings = readingsOf(text);
    const ends = isCut ? readings.flatMap(endsOf) : [];
    const places = secrets.flatMap((secret) => [
      ...readings.flatMap((reading) => placesOf(secret, reading)),
      ...ends.flatMap((end) => beginningOf(secret, end)),
    ]);
    return masked(text, places);
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

const withBase64 = (value: string): readonly string[] => {
  const bytes = Buffer.from(value, "latin1");
  return [value, bytes.toString("base64"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
};

/** A text without what an encoder has done to it. */
interface Reading {
  readonly text: string;
  /** Where each of its signs begins in the answer, and where the last one ends. */
  readonly at: (index: number) => number;
}

/** What an encoder makes of a sign, and which sign it was; `undefined` for what it did not make. */
interface Encoder {
  readonly spelling: RegExp;
  readonly read: (found: RegExpExecArray) => string | undefined;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const signOf = (code: number): string | undefined => (code < 256 ? String.fromCharCode(code) : undefined);

const JSON_ENCODER: Encoder = {
  spelling: /\\(?:u([0-9a-f]{4})|(["\\/]))/gi,
  read: ([, code, sign]) => sign ?? signOf(Number.parseInt(code ?? "", 16)),
};

const URL_ENCODER: Encoder = {
  spelling: /%([0-9a-f]{2})|\+/gi,
  read: ([, code]) => (code === undefined ? " " : signOf(Number.parseInt(code, 16))),
};

const HTML_ENCODER: Encoder = {
  spelling: /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
  read: ([, decimal, hexadecimal, name]) =>
    name === undefined
      ? signOf(decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal))
      : NAMED[name.toLowerCase()],
};

/** The answer as it is, and without each encoder's work; JSON may contain JSON as text. */
function readingsOf(text: string): readonly Reading[] {
  const asItIs: Reading = { text, at: (index) => index };
  const ofJson = without(JSON_ENCODER, asItIs);
  const read = [
    ofJson,
    ofJson && without(JSON_ENCODER, ofJson),
    without(URL_ENCODER, asItIs),
    without(HTML_ENCODER, asItIs),
  ];
  return [asItIs, ...read.filter((reading) => reading !== undefined)];
}

/** `undefined` when there is nothing of this encoder. */
function without({ spelling, read }: Encoder, { text, at }: Reading): Reading | undefined {
  const places: number[] = [];
  let decoded = "";
  let rest = 0;
  const take = (until: number) => {
    for (; rest < until; rest++) places.push(rest);
  };
  for (const found of text.matchAll(spelling)) {
    const sign = read(found);
    if (sign === undefined) continue;
    decoded += text.slice(rest, found.index) + sign;
    take(found.index);
    places.push(rest);
    rest += found[0].length;
  }
  if (rest === 0) return undefined;
  decoded += text.slice(rest);
  take(text.length);
  return { text: decoded, at: (index) => at(places[index] ?? text.length) };
}

/** From where to where in the answer; the end is the first sign behind it. */
type Place = readonly [begin: number, end: number];

/** Wherever the secret is; a short one only as a word of its own. */
function placesOf(secret: string, { text, at }: Reading): readonly Place[] {
  const places: Place[] = [];
  const isShort = secret.length < ANYWHERE_FROM;
  for (let index = text.indexOf(secret); index >= 0; ) {
    const last = isShort ? index : lastOverlapping(secret, text, index);
    const end = last + secret.length;
    if (!isShort || !/[A-Za-z0-9]/.test(`${text[index - 1] ?? ""}${text[end] ?? ""}`))
      places.push([at(index), at(end)]);
    index = text.indexOf(secret, isShort ? index + 1 : end);
  }
  return places;
}

/**
 * Where the last one begins of those that overlap each other, from one on. It goes as far as it can at once: each two
 * steps are longer than the secret, so one that repeats itself costs no more than others.
 */
function lastOverlapping(secret: string, text: string, first: number): number {
  let last = first;
  let next = first;
  do {
    last = next;
    next = text.lastIndexOf(secret, last + secret.length - 1);
  } while (next > last);
  return last;
}

/**
 * What an encoder's spelling of a sign begins with, where the answer was cut within it. Of signs of JSON within JSON there
 * is any number, which is read once: a pattern that began at each of them would take their number times itself.
 */
const CUT_SPELLING = /(?:%[0-9a-f]?|&#?[0-9a-z]{0,8}|(?<!\\)\\+(?:u[0-9a-f]{0,3})?)$/i;

/** A reading of an answer that was cut, and the same without a spelling that was cut; each once. */
function endsOf(reading: Reading): readonly Reading[] {
  const whole = reading.text.replace(CUT_SPELLING, "");
  // What hides the beginning of a secret is the whole rest.
  const at = (index: number) => reading.at(index === whole.length ? reading.text.length : index);
  return whole.length === reading.text.length ? [reading] : [reading, { text: whole, at }];
}

/** The beginning of the secret at the end of the answer. */
function beginningOf(secret: string, { text, at }: Reading): readonly Place[] {
  const end = text.slice(-(secret.length - 1));
  const first = secret.length <= ANYWHERE_FROM ? -1 : end.indexOf(secret.slice(0, ANYWHERE_FROM));
  const length = first < 0 ? 0 : overlapOf(end.slice(first), secret);
  return length < ANYWHERE_FROM ? [] : [[at(text.length - length), at(text.length)]];
}

/** A sign of no answer and of no secret, whose signs are bytes. */
const BETWEEN = "\uffff";

/** How long the longest end of a text is with which another begins; each sign is read a few times, whatever both are. */
function overlapOf(end: string, beginning: string): number {
  const text = `${beginning}${BETWEEN}${end}`;
  // For each sign, how much of what ends with it is also what the text begins with (Knuth, Morris and Pratt).
  const lengths = new Uint16Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index++) {
    while (length > 0 && text.charCodeAt(index) !== text.charCodeAt(length)) length = lengths[length - 1] ?? 0;
    if (text.charCodeAt(index) === text.charCodeAt(length)) length++;
    lengths[index] = length;
  }
  return length;
}

/** One mask for places that overlap. */
function masked(text: string, places: readonly Place[]): string {
  let shown = "";
  let until = 0;
  for (const [begin, end] of places.toSorted(([one], [other]) => one - other)) {
    if (begin >= until) shown += `${text.slice(until, begin)}${MASK}`;
    until = Math.max(until, end);
  }
  return shown + text.slice(until);
}
