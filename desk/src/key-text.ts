/** What secrets and keys are called, by the prefix of their text (Standard Webhooks §signature scheme). */
const NAMES = { whsec_: "signing secret", whsk_: "private key", whpk_: "public key" } as const;

type Prefix = keyof typeof NAMES;

const PREFIXES = Object.keys(NAMES) as readonly Prefix[];

/** True for a text that begins as a key, token or secret of Gatehouse does: it belongs into no message. */
export const isLikeSecret = (text: string): boolean => /^(?:gh[krs]|whs(?:ec|k))_/.test(text);

/**
 * The bytes of a secret or key: standard base64 behind its prefix.
 * @throws TypeError that names the mistake and holds nothing of the text.
 */
export function bytesBehind(prefix: Prefix, text: string): Buffer {
  const name = NAMES[prefix];
  if (!text.startsWith(prefix)) throw new TypeError(`A ${name} begins with ${prefix}${otherThan(text)}.`);
  const encoded = text.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) throw new TypeError(`A ${name} is standard base64 with padding.`);
  return bytes;
}

function otherThan(text: string): string {
  const other = PREFIXES.find((prefix) => text.startsWith(prefix));
  return other === undefined ? "" : `; this is a ${NAMES[other]}, ${other}`;
}
