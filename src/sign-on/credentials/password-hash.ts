import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "#runtime/basis/random.ts";

/** argon2id's cost; one lane, so that a hash uses one thread. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** Argon2's own minimum (RFC 9106 §3.1). */
const MEMORY_KIB_MIN = 8;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const COST = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const derive = promisify(argon2);

/** Normalized, so that a password is the same however a keyboard composes its characters (NIST SP 800-63B §5.1.1.2). */
const normalised = (password: string): Buffer => Buffer.from(password.normalize("NFKC"), "utf8");

/** Hashes a password into a PHC string with a salt of its own (RFC 9106). Takes about 20 ms of a core; call it through the queue. */
export async function hashPassword(password: string, cost: PasswordCost, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const tag = await tagOf(password, salt, cost, TAG_BYTES);
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=1$${unpadded(salt)}$${unpadded(tag)}`;
}

/** True when the password has that hash; the cost is the hash's own. @throws Error when the stored text is no argon2id hash. */
export async function passwordMatches(password: string, phc: string): Promise<boolean> {
  const { cost, salt, tag } = parsePhc(phc);
  return timingSafeEqual(await tagOf(password, salt, cost, tag.length), tag);
}

/**
 * The work that a hash at `cost` takes beyond the stored `phc`, as the cost of one more hash: work grows with memory
 * times passes. `undefined` when the stored hash cost as much or more.
 * @throws Error when the stored text is no argon2id hash.
 */
export function missingCost(phc: string, { memoryKib, passes }: PasswordCost): PasswordCost | undefined {
  const { cost: made } = parsePhc(phc);
  const missingKib = Math.round((memoryKib * passes - made.memoryKib * made.passes) / passes);
  return missingKib < MEMORY_KIB_MIN ? undefined : { memoryKib: missingKib, passes };
}

/** The cost that a stored hash begins with; `undefined` when the stored text does not begin as an argon2id hash. */
export function costOf(phc: string): PasswordCost | undefined {
  const [, memory, passes] = COST.exec(phc) ?? [];
  return memory === undefined ? undefined : { memoryKib: Number(memory), passes: Number(passes) };
}

/** The one of two costs that is more work; the first when they are the same. */
export const costlier = (one: PasswordCost, other: PasswordCost): PasswordCost =>
  other.memoryKib * other.passes > one.memoryKib * one.passes ? other : one;

function parsePhc(phc: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly tag: Buffer } {
  const [, memory, passes, salt = "", tag = ""] = PHC.exec(phc) ?? [];
  if (memory === undefined) throw new Error("A stored password hash is not argon2id.");
  return {
    cost: { memoryKib: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

const tagOf = (
  password: string,
  nonce: Buffer,
  { memoryKib, passes }: PasswordCost,
  tagLength: number,
): Promise<Buffer> =>
  derive("argon2id", {
    message: normalised(password),
    nonce,
    parallelism: 1,
    tagLength,
    memory: memoryKib,
    passes,
  });

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
