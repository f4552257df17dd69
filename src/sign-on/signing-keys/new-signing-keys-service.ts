import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint } from "jose";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { sealedRow } from "./sealed-private-keys.ts";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";

const generate = promisify(generateKeyPair);

/** What every server needs: RS256 for ID tokens, ES256 for access tokens (R-S12). */
export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = ["RS256", "ES256"];

const newPair = (algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  algorithm === "RS256" ? generate("rsa", { modulusLength: 2048 }) : generate("ec", { namedCurve: "P-256" });

/** A key that was made and sealed, and does not stand in the store yet. */
type NewSigningKey = Pick<StoredSigningKey, "keyId" | "algorithm" | "publicJwk" | "sealedPrivateKey">;

/** Makes a key. Takes a tenth of a second for RS256, so it happens before a change and not in it. */
export async function newSigningKey(algorithm: SigningAlgorithm, sealer: Sealer): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await newPair(algorithm);
  const publicJwk = publicKey.export({ format: "jwk" });
  const keyId = `${algorithm.toLowerCase()}-${(await calculateJwkThumbprint(publicJwk)).slice(0, 16)}`;
  const sealedPrivateKey = sealer.seal(privateKey.export({ format: "der", type: "pkcs8" }), sealedRow(keyId));
  return { keyId, algorithm, publicJwk, sealedPrivateKey };
}

/** The row of a key that signs from its first moment. */
export const asActive = (key: NewSigningKey, at: Date): StoredSigningKey => ({
  ...untouched(key, at),
  state: "active",
  signsFrom: at,
  activatedAt: at,
});

/** The row of a key that is published from now on, and signs from `signsFrom` at the earliest. */
export const asNext = (key: NewSigningKey, at: Date, signsFrom: Date): StoredSigningKey => ({
  ...untouched(key, at),
  state: "next",
  signsFrom,
  activatedAt: undefined,
});

const untouched = (key: NewSigningKey, at: Date) => ({
  ...key,
  createdAt: at,
  rotationAskedAt: undefined,
  retiresAt: undefined,
  retiredAt: undefined,
  revokedBecause: undefined,
});
