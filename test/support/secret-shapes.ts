/**
 * A secret in every shape in which it might have been written down: as it is, as the bytes that it spells, in hex, percent-encoded, and in
 * base64 or base64url of itself or of a longer text that has it in it at any place.
 */
export function shapesOf(secret: string): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const spelt = /^[\w-]{20,}$/.test(secret) ? [Buffer.from(secret, "base64url")] : [];
  const percent = [encodeURIComponent(secret), new URLSearchParams({ "": secret }).toString().slice(1)];
  return [
    ...shapesOfBytes(bytes),
    ...spelt,
    ...percent.map((text) => Buffer.from(text)),
    Buffer.from(everyPercent(bytes)),
  ];
}

/** Bytes as they are, in hex, and in base64 or base64url of themselves or of something longer. */
export const shapesOfBytes = (bytes: Buffer): readonly Buffer[] => [
  bytes,
  Buffer.from(bytes.toString("hex")),
  Buffer.from(bytes.toString("hex").toUpperCase()),
  ...[0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // What depends on neighbours is cut off: characters that share bits with what comes before or after.
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)];
    return (["base64", "base64url"] as const).map((coding) => Buffer.from(whole.toString(coding).slice(from, to)));
  }),
];

const everyPercent = (bytes: Buffer): string => bytes.toString("hex").replaceAll(/../g, (pair) => `%${pair}`);

/** How many of the shapes are in the bytes; what is too short to mean anything is not looked for. */
export const countFound = (haystack: Buffer, shapes: readonly Buffer[]): number =>
  shapes.filter((shape) => shape.length >= 8 && haystack.includes(shape)).length;
