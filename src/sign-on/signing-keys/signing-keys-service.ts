import { createPrivateKey } from "node:crypto";
import { type CryptoKey, importJWK } from "jose";
import type { Clock } from "#runtime/basis/clock.ts";
import { unavailable } from "#runtime/basis/errors.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { JwtSigner } from "./sign-jwt.ts";
import type { SigningAlgorithm, SigningKeyRepository, StoredSigningKey } from "./signing-key-repository.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** How long a process may go on with the keys that it has read. */
const REREAD_MS = 30_000;

interface OpenedKeys {
  readonly readAt: number;
  readonly stored: readonly StoredSigningKey[];
  readonly signers: ReadonlyMap<SigningAlgorithm, JwtSigner>;
  readonly verifiers: ReadonlyMap<string, CryptoKey>;
}

/** The row that a sealed private key is bound to. */
export const sealedRow = (keyId: string): string => `signing_key/${keyId}`;

export function createSigningKeys(repository: SigningKeyRepository, sealer: Sealer, clock: Clock): SigningKeys {
  let reading: Promise<OpenedKeys> | undefined;
  let opened: OpenedKeys | undefined;

  const read = async (): Promise<OpenedKeys> => {
    const stored = await repository.listUsable();
    const verifiers = await Promise.all(
      stored.map(
        async ({ keyId, algorithm, publicJwk }) =>
          [verifierName(keyId, algorithm), (await importJWK(publicJwk, algorithm)) as CryptoKey] as const,
      ),
    );
    const active = stored.filter(({ state }) => state === "active");
    return {
      readAt: clock.now().getTime(),
      stored,
      signers: new Map(active.map((key) => [key.algorithm, toSigner(key, sealer)])),
      verifiers: new Map(verifiers),
    };
  };

  const current = async (): Promise<OpenedKeys> => {
    if (opened !== undefined && clock.now().getTime() - opened.readAt < REREAD_MS) return opened;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    opened = await reading;
    return opened;
  };

  return {
    async signer(algorithm) {
      const signer = (await current()).signers.get(algorithm);
      if (signer === undefined) throw unavailable("No signing key is active.", { detail: algorithm });
      return signer;
    },
    async verifier(keyId, algorithm) {
      return (await current()).verifiers.get(verifierName(keyId, algorithm));
    },
    async published() {
      const { stored } = await current();
      return stored.map(({ keyId, algorithm, publicJwk }) => ({
        ...publicJwk,
        kid: keyId,
        alg: algorithm,
        use: "sig",
      }));
    },
  };
}

const verifierName = (keyId: string, algorithm: SigningAlgorithm): string => `${algorithm} ${keyId}`;

const toSigner = ({ keyId, algorithm, sealedPrivateKey }: StoredSigningKey, sealer: Sealer): JwtSigner => ({
  keyId,
  algorithm,
  privateKey: createPrivateKey({ key: sealer.open(sealedPrivateKey, sealedRow(keyId)), format: "der", type: "pkcs8" }),
});
