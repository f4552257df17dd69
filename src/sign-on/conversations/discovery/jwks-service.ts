import type { JWK } from "jose";
import type { GetJwksRequest, GetJwksResponse, PublicKey } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";

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
