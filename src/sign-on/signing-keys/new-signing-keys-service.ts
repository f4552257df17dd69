import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { Changes } from "#runtime/changes/change.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { SignOnTables } from "../tables.ts";
import type { SigningAlgorithm, SigningKeyRepository } from "./signing-key-repository.ts";
import { sealedRow } from "./signing-keys-service.ts";

const generate = promisify(generateKeyPair);

/** What every server needs: RS256 for ID tokens, ES256 for access tokens (R-S12). */
const NEEDED: readonly SigningAlgorithm[] = ["RS256", "ES256"];

const newPair = (algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  algorithm === "RS256" ? generate("rsa", { modulusLength: 2048 }) : generate("ec", { namedCurve: "P-256" });

interface MakeDeps {
  readonly repository: SigningKeyRepository;
  readonly changes: Changes<SignOnTables>;
  readonly sealer: Sealer;
}

/** Makes the active keys that are missing, at the first start. Two processes that start at once agree on one set: the store allows one. */
export async function makeMissingSigningKeys({ repository, changes, sealer }: MakeDeps): Promise<void> {
  const present = await repository.listUsable();
  for (const algorithm of NEEDED) {
    if (present.some((key) => key.algorithm === algorithm && key.state === "active")) continue;
    const { publicKey, privateKey } = await newPair(algorithm);
    const publicJwk = publicKey.export({ format: "jwk" }) as JWK;
    const keyId = `${algorithm.toLowerCase()}-${(await calculateJwkThumbprint(publicJwk)).slice(0, 16)}`;
    const sealedPrivateKey = sealer.seal(privateKey.export({ format: "der", type: "pkcs8" }), sealedRow(keyId));
    try {
      await changes.run(async ({ db, at, audit }) => {
        await repository.create(db, { keyId, algorithm, state: "active", publicJwk, sealedPrivateKey, createdAt: at });
        await audit({ actor: "services", action: "signingKey.create", object: keyId });
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}
