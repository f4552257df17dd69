import { hash } from "node:crypto";
import type { Random } from "#runtime/basis/random.ts";
import type { CipherPurpose } from "#runtime/sealing/purposes.ts";

/** Which code or refresh token of which family: the code is generation 0, its first refresh token 1. */
export interface TokenPlace {
  readonly number: number;
  readonly generation: number;
}

/**
 * The texts of codes and refresh tokens: one enciphered block, which names the family's number, the generation and a
 * part of the secret's digest, and the secret, 256 bits. Each kind has a key of its own, so a block of one kind is
 * nothing in another. A place that is read was written here, with this secret: the rest of the digest is compared with
 * the stored one where that is still there (decision 0052).
 */
export interface NumberedTokens {
  newCode(number: number): string;
  /** A family's first. */
  newRefreshToken(number: number): string;
  /** The text of a refresh token whose secret is derived. */
  refreshToken(place: TokenPlace, secret: Buffer): string;
  /** That text under each master key, today's first one first: it may have been issued while another one was the first. */
  refreshTokens(place: TokenPlace, secret: Buffer): readonly string[];
  /** `NOWHERE` for a text that is not a code of ours. */
  readCode(text: string): TokenPlace;
  /** `NOWHERE` for a text that is not a refresh token of ours. */
  readRefreshToken(text: string): TokenPlace;
  /** The family's id for audit log and access tokens: 22 characters, the same each time under the same first master key. */
  idOf(number: number): string;
  /** The number of an id; `undefined` for an id of another origin. */
  numberOf(id: string): number | undefined;
}

/** Enciphers blocks, as the sealer does. */
interface NumberCipher {
  encipher(block: Uint8Array, purpose: CipherPurpose): Buffer;
  encipherUnderEach(block: Uint8Array, purpose: CipherPurpose): readonly Buffer[];
  decipher(block: Uint8Array, purpose: CipherPurpose): readonly Buffer[];
}

/** A place where no family is: asking for it costs what asking for another one does. */
export const NOWHERE: TokenPlace = { number: 0, generation: 0 };

/** A prefix that secret scanners can find. */
export const REFRESH_PREFIX = "ghr_";

const BLOCK_BYTES = 16;
const SECRET_BYTES = 32;
const TOKEN_BYTES = BLOCK_BYTES + SECRET_BYTES;
/** Where each part of a block is; those of an id are zero behind the number. */
const AT = { number: 0, generation: 8, check: 12 } as const;

export function numberedTokens(cipher: NumberCipher, random: Random): NumberedTokens {
  const write = (place: TokenPlace, secret: Buffer, purpose: CipherPurpose): string =>
    textOf(cipher.encipher(blockWith(place, secret), purpose), secret);
  const read = (text: string, purpose: CipherPurpose): TokenPlace => {
    const bytes = bytesOf(text, TOKEN_BYTES);
    const secret = bytes.subarray(BLOCK_BYTES);
    const check = checkOf(secret);
    const block = cipher
      .decipher(bytes.subarray(0, BLOCK_BYTES), purpose)
      .find((candidate) => candidate.subarray(AT.check).equals(check));
    const number = block === undefined ? undefined : numberIn(block);
    return block === undefined || number === undefined
      ? NOWHERE
      : { number, generation: block.readUInt32BE(AT.generation) };
  };
  const newSecret = () => random.bytes(SECRET_BYTES);
  const refreshToken = (place: TokenPlace, secret: Buffer): string =>
    `${REFRESH_PREFIX}${write(place, secret, "refresh_token/number")}`;
  return {
    newCode: (number) => write({ number, generation: 0 }, newSecret(), "authorization_code/number"),
    newRefreshToken: (number) => refreshToken({ number, generation: 1 }, newSecret()),
    refreshToken,
    refreshTokens: (place, secret) =>
      cipher
        .encipherUnderEach(blockWith(place, secret), "refresh_token/number")
        .map((block) => `${REFRESH_PREFIX}${textOf(block, secret)}`),
    readCode: (text) => read(text, "authorization_code/number"),
    readRefreshToken: (text) =>
      read(text.startsWith(REFRESH_PREFIX) ? text.slice(REFRESH_PREFIX.length) : "", "refresh_token/number"),
    idOf: (number) => cipher.encipher(blockOf(number), "token_family/id").toString("base64url"),
    numberOf(id) {
      const candidates = cipher.decipher(bytesOf(id, BLOCK_BYTES), "token_family/id");
      const block = candidates.find((candidate) => candidate.subarray(AT.generation).every((byte) => byte === 0));
      return block && numberIn(block);
    },
  };
}

function blockOf(number: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigUInt64BE(BigInt(number), AT.number);
  return block;
}

/** The block of a token, not enciphered yet. */
function blockWith({ number, generation }: TokenPlace, secret: Buffer): Buffer {
  const block = blockOf(number);
  block.writeUInt32BE(generation, AT.generation);
  checkOf(secret).copy(block, AT.check);
  return block;
}

const textOf = (enciphered: Buffer, secret: Buffer): string =>
  Buffer.concat([enciphered, secret]).toString("base64url");

function numberIn(block: Buffer): number | undefined {
  const number = Number(block.readBigUInt64BE(AT.number));
  return Number.isSafeInteger(number) ? number : undefined;
}

const CHECKED = Buffer.from("token check\n");

/** Proves that block and secret belong together. */
const checkOf = (secret: Buffer): Buffer =>
  hash("sha256", Buffer.concat([CHECKED, secret]), "buffer").subarray(0, BLOCK_BYTES - AT.check);

/** The bytes of the only spelling of that many; zeros for any other text, which then costs the same. */
function bytesOf(text: string, length: number): Buffer {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === length && bytes.toString("base64url") === text ? bytes : Buffer.alloc(length);
}
