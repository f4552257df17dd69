import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import type { Random } from "../basis/random.ts";
import type { CipherPurpose, DigestPurpose, SealedRow } from "./purposes.ts";

const VERSION = 1;
/** A sealed value begins with its version, then the id of its master key. */
export const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/**
 * Encrypts values that must be readable again; `purposes.ts` lists them all. Only the services role has one (R-D6).
 */
export interface Sealer {
  /** Ids of the master keys, 16 hexadecimal digits each, in the order of the list: the first one seals. */
  readonly masterKeyIds: readonly [string, ...string[]];
  /**
   * AES-256-GCM under the first master key, bound to `row` (for example `signing_key/es256-…`): it can be opened for
   * that row only.
   */
  seal(plaintext: Uint8Array, row: SealedRow): Buffer;
  /** @throws Error when no master key fits, or the value was changed or belongs to another row. */
  open(sealed: Uint8Array, row: SealedRow): Buffer;
  /**
   * HMAC-SHA-256 of a guessable text; 32 bytes. Each purpose has its own key, derived from the first master key; the
   * digests change when another master key becomes the first.
   */
  digest(text: string, purpose: DigestPurpose): Buffer;
  /**
   * Enciphers one block of 16 bytes under a key of the purpose, derived from the first master key. The same block gives
   * the same bytes, and no two blocks do; nothing proves where the bytes are from.
   */
  encipher(block: Uint8Array, purpose: CipherPurpose): Buffer;
  /** What `encipher` gives, or gave while another master key was the first: the block under each of them, in their order. */
  encipherUnderEach(block: Uint8Array, purpose: CipherPurpose): readonly Buffer[];
  /** What the block was before: a candidate for each master key, in their order. The caller recognises the right one. */
  decipher(block: Uint8Array, purpose: CipherPurpose): readonly Buffer[];
}

/** AES on single blocks: no chain, no padding, so one cipher serves every call. */
interface BlockCipher {
  readonly encipher: (block: Uint8Array) => Buffer;
  readonly decipher: (block: Uint8Array) => Buffer;
}

interface MasterKey {
  readonly id: Buffer;
  /** Made once: from bytes, Node 24 takes six times as long for each cipher or HMAC. */
  readonly key: KeyObject;
}

/**
 * @param masterKeys 32 bytes each; the first seals, all open.
 */
export function createSealer(masterKeys: readonly Buffer[], random: Random): Sealer {
  const keys: readonly MasterKey[] = masterKeys.map((key) => ({ key: createSecretKey(key), id: keyId(key) }));
  const [first] = keys;
  if (first === undefined) throw new Error("At least one master key is needed.");
  const ciphersOf = new Map<CipherPurpose, readonly BlockCipher[]>();
  const blockCiphers = (purpose: CipherPurpose): readonly BlockCipher[] => {
    const known = ciphersOf.get(purpose);
    if (known !== undefined) return known;
    const made = keys.map(({ key }) => blockCipher(key, purpose));
    ciphersOf.set(purpose, made);
    return made;
  };
  const digestKeys = new Map<DigestPurpose, KeyObject>();
  const digestKeyOf = (purpose: DigestPurpose): KeyObject => {
    const known = digestKeys.get(purpose);
    if (known !== undefined) return known;
    const bytes = hkdfSync("sha256", first.key, "", `gatehouse digest/${purpose}`, 32);
    const derived = createSecretKey(Buffer.from(bytes));
    digestKeys.set(purpose, derived);
    return derived;
  };
  const idOf = ({ id }: MasterKey): string => id.toString("hex");
  return {
    masterKeyIds: [idOf(first), ...keys.slice(1).map(idOf)],
    seal(plaintext, row) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", first.key, nonce);
      cipher.setAAD(Buffer.from(row));
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), first.id, nonce, ciphertext, cipher.getAuthTag()]);
    },
    open(sealed, row) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = bytes.subarray(1, 1 + KEY_ID_BYTES);
      const master = keys.find((candidate) => candidate.id.equals(id));
      if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES + TAG_BYTES || master === undefined) {
        throw new Error(`No master key opens ${row}; the key that sealed it must stay in the list.`);
      }
      const decipher = createDecipheriv("aes-256-gcm", master.key, bytes.subarray(1 + KEY_ID_BYTES, HEADER_BYTES));
      decipher.setAAD(Buffer.from(row));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
    },
    digest: (text, purpose) => createHmac("sha256", digestKeyOf(purpose)).update(text).digest(),
    encipher: (block, purpose) => (blockCiphers(purpose)[0] as BlockCipher).encipher(block),
    encipherUnderEach: (block, purpose) => blockCiphers(purpose).map((cipher) => cipher.encipher(block)),
    decipher: (block, purpose) => blockCiphers(purpose).map((cipher) => cipher.decipher(block)),
  };
}

/** Opens a sealed value for a caller that can do without it: `undefined` where `open` throws. */
export function openedIfPossible(sealer: Pick<Sealer, "open">, sealed: Uint8Array, row: SealedRow): Buffer | undefined {
  try {
    return sealer.open(sealed, row);
  } catch {
    return undefined;
  }
}

function blockCipher(masterKey: KeyObject, purpose: CipherPurpose): BlockCipher {
  const key = Buffer.from(hkdfSync("sha256", masterKey, "", `gatehouse cipher/${purpose}`, 32));
  const forth = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const back = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const oneBlock = (block: Uint8Array): Uint8Array => {
    if (block.length !== BLOCK_BYTES) throw new Error(`A block has ${BLOCK_BYTES} bytes, not ${block.length}.`);
    return block;
  };
  return { encipher: (block) => forth.update(oneBlock(block)), decipher: (block) => back.update(oneBlock(block)) };
}

/** Identifies a key in sealed values without revealing anything about it. */
const keyId = (key: Buffer): Buffer =>
  createHash("sha256").update("gatehouse master key id").update(key).digest().subarray(0, KEY_ID_BYTES);
