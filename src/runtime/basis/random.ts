import { randomBytes } from "node:crypto";

/** Where unguessable bytes come from. A parameter, so that tests can repeat a run. */
export interface Random {
  /** `length` bytes that nobody can predict. */
  bytes(length: number): Buffer;
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) };

/** A secret of 256 bits as 43 characters of base64url, for cookies, codes and tokens. */
export function newSecret(random: Random): string {
  return random.bytes(32).toString("base64url");
}
