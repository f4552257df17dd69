import { createPrivateKey } from "node:crypto";
import { type CryptoKey, importJWK, type JWK } from "jose";
import type { GetJwksRequest, GetJwksResponse, PublicKey } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { unavailable } from "#runtime/basis/errors.ts";
import { isText } from "#runtime/basis/text.ts";
import { openedIfPossible, type Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { sealedRow } from "./sealed-private-keys.ts";
import type { SigningAlgorithm, SigningKeyRepository, StoredSigningKey } from "./signing-key-repository.ts";
import { type JwtSigner, SIGNING_KEYS_CHANNEL, type SigningKeys } from "./signing-keys.ts";

/** How long a process may go on with the keys that it has read when no signal of a change arrives (R-X102). */
export const REREAD_MS = 10_000;

interface OpenedKeys {
  readonly readAt: number;
  /** Of the wake channel, from before the reading. */
  readonly ticket: number;
  readonly stored: readonly StoredSigningKey[];
  /** Of the active keys that can be opened. */
  readonly signers: ReadonlyMap<string, JwtSigner>;
  readonly verifiers: ReadonlyMap<string, CryptoKey>;
}

interface SigningKeysDeps {
  readonly repository: Pick<SigningKeyRepository, "listUsable" | "find">;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly wake: Pick<Wake, "ticket">;
}

export function createSigningKeys({ repository, sealer, clock, wake }: SigningKeysDeps): SigningKeys {
  let reading: Promise<OpenedKeys> | undefined;
  let opened: OpenedKeys | undefined;

  /** Reads again; what is open already stays open. */
  const read = async (): Promise<OpenedKeys> => {
    const readAt = clock.now().getTime();
    const ticket = wake.ticket(SIGNING_KEYS_CHANNEL);
    const stored = await repository.listUsable();
    const verifiers = await Promise.all(
      stored.map(async ({ keyId, algorithm, publicJwk }) => {
        const name = verifierName(keyId, algorithm);
        return [name, opened?.verifiers.get(name) ?? ((await importJWK(publicJwk, algorithm)) as CryptoKey)] as const;
      }),
    );
    const active = stored.filter(({ state }) => state === "active");
    const signers = active.flatMap((key) => {
      const signer = opened?.signers.get(key.keyId) ?? toSigner(key, sealer);
      return signer === undefined ? [] : [[key.keyId, signer] as const];
    });
    return { readAt, ticket, stored, signers: new Map(signers), verifiers: new Map(verifiers) };
  };

  /** Of a clock that was set back, too, no more than so much time passes. */
  const isFresh = ({ readAt, ticket }: OpenedKeys): boolean =>
    ticket === wake.ticket(SIGNING_KEYS_CHANNEL) && Math.abs(clock.now().getTime() - readAt) < REREAD_MS;

  const current = async (): Promise<OpenedKeys> => {
    if (opened !== undefined && isFresh(opened)) return opened;
    const under = reading;
    // A reading that began before the last signal may have missed the change behind it.
    if (under !== undefined && isFresh(await under)) return under;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    opened = await reading;
    return opened;
  };

  return {
    async signer(algorithm) {
      const { signers, stored } = await current();
      const signer = [...signers.values()].find((candidate) => candidate.algorithm === algorithm);
      if (signer === undefined) throw unavailable("No signing key is active.", { detail: whyNone(stored, algorithm) });
      return signer;
    },
    async verifier(keyId, algorithm) {
      return (await current()).verifiers.get(verifierName(keyId, algorithm));
    },
    async hintVerifier(keyId, algorithm) {
      const published = (await current()).verifiers.get(verifierName(keyId, algorithm));
      // The id is anybody's text, and a store may refuse such text.
      if (published !== undefined || !isText(keyId)) return published;
      const stored = await repository.find(keyId);
      // The private half of a retired key is deleted. That of a revoked one may be in other hands.
      const isKept = stored?.algorithm === algorithm && stored.revokedBecause === undefined;
      return isKept ? ((await importJWK(stored.publicJwk, algorithm)) as CryptoKey) : undefined;
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
    async usable() {
      return (await current()).stored;
    },
  };
}

const verifierName = (keyId: string, algorithm: SigningAlgorithm): string => `${algorithm} ${keyId}`;

/** For operators: the algorithm, and its active key that no master key opens, if there is one. */
function whyNone(stored: readonly StoredSigningKey[], algorithm: SigningAlgorithm): string {
  const unopened = stored.find((key) => key.algorithm === algorithm && key.state === "active");
  return unopened === undefined ? algorithm : `${algorithm}: no master key opens ${sealedRow(unopened.keyId)}`;
}

/** `undefined` when no master key opens it: then it signs nothing, and goes on verifying what others have signed with it. */
function toSigner({ keyId, algorithm, sealedPrivateKey }: StoredSigningKey, sealer: Sealer): JwtSigner | undefined {
  const key = openedIfPossible(sealer, sealedPrivateKey, sealedRow(keyId));
  if (key === undefined) return undefined;
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  return { keyId, algorithm, privateKey };
}

/** The published public keys. Copies only public members by name, so that no private one can leak. */
export const getJwks =
  ({ keys, maxAgeSeconds }: { readonly keys: SigningKeys; readonly maxAgeSeconds: number }) =>
  async (_: GetJwksRequest): Promise<GetJwksResponse> => ({
    keys: (await keys.published()).map(toPublicKey),
    maxAgeSeconds,
  });

const toPublicKey = ({ kid = "", alg = "", kty, n = "", e = "", crv = "", x = "", y = "" }: JWK): PublicKey => ({
  keyId: kid,
  algorithm: alg,
  material: kty === "RSA" ? { $case: "rsa", value: { n, e } } : { $case: "ec", value: { crv, x, y } },
});
