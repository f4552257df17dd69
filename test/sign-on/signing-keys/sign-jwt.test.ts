import { createHook } from "node:async_hooks";
import { generateKeyPairSync } from "node:crypto";
import { compactVerify } from "jose";
import { type JwtSigner, signJwt } from "../../../src/sign-on/signing-keys/signing-keys.ts";

const es = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rs = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ES256: JwtSigner = { keyId: "es", algorithm: "ES256", privateKey: es.privateKey };
const RS256: JwtSigner = { keyId: "rs", algorithm: "RS256", privateKey: rs.privateKey };

describe("signing a JWT (decision 0053)", () => {
  const requests = new Set<number>();
  let inPool = 0;
  const counting = createHook({
    init: (asyncId, type) => {
      if (type === "SIGNREQUEST") requests.add(asyncId);
    },
    // Only what the pool has done comes back by an event.
    before: (asyncId) => {
      if (requests.has(asyncId)) inPool++;
    },
  });
  beforeEach(() => {
    inPool = 0;
    counting.enable();
  });
  afterEach(() => counting.disable());

  const signAll = (...signers: readonly JwtSigner[]): Promise<readonly string[]> =>
    Promise.all(signers.map((signer, index) => signJwt({ index }, signer, "JWT")));

  it.each([
    ["a lone ES256 at once", [ES256], 0],
    ["several ES256 of one turn at once", [ES256, ES256, ES256], 0],
    ["a lone RS256 in the pool", [RS256], 1],
    ["RS256 in the pool, and the ES256 that comes with it at once", [RS256, ES256, RS256], 2],
  ])("makes %s", async (_, signers, expected) => {
    const tokens = await signAll(...signers);
    const signed = inPool;
    const keys = { es: es.publicKey, rs: rs.publicKey };
    const verified = await Promise.all(
      tokens.map((token) => compactVerify(token, ({ kid }) => keys[kid as keyof typeof keys])),
    );
    expect(verified.map(({ payload }) => JSON.parse(Buffer.from(payload).toString()))).toEqual(
      signers.map((_signer, index) => ({ index })),
    );
    expect(signed).toBe(expected);
  });
});
