import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { type CryptoKey, exportJWK, importJWK } from "jose";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import type { ApplicationId, PersonId } from "../../../src/runtime/basis/ids.ts";
import { signAccessToken } from "../../../src/sign-on/access-tokens/access-token.ts";
import { verifiedSignatures } from "../../../src/sign-on/access-tokens/verified-signatures.ts";
import { verifyAccessToken } from "../../../src/sign-on/access-tokens/verify-access-token.ts";
import type { TokenFamily } from "../../../src/sign-on/refresh-tokens/token-family.ts";
import type { SigningAlgorithm } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import type { JwtSigner } from "../../../src/sign-on/signing-keys/signing-keys.ts";
import { standingClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";

const ISSUER = "https://sign-on.example";
const NOW = new Date("2026-06-30T08:15:27.412Z");
const IAT = Math.floor(NOW.getTime() / 1000);
const es = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rs = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });

const family = {
  id: "SE9YUmSHTDFG1P1rIzpieQ",
  applicationId: "app_1" as ApplicationId,
  personId: "person_1" as PersonId,
} as TokenFamily;

const content = {
  issuer: ISSUER,
  personId: family.personId,
  applicationId: family.applicationId,
  familyId: family.id,
  scopes: ["openid", "email"] as const,
  issuedAt: NOW,
  lifetimeSeconds: 3_600,
};
const HEADER = { alg: "ES256", typ: "at+jwt", kid: "es256-a" };
const CLAIMS = {
  iss: ISSUER,
  sub: "person_1",
  aud: ISSUER,
  client_id: "app_1",
  scope: "openid email",
  iat: IAT,
  exp: IAT + 3_600,
  jti: `${family.id}.x`,
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token signed by the true ES256 key, whatever it says. */
function signed(header: object, claims: object, key: KeyObject = es.privateKey, dsaEncoding = "ieee-p1363" as const) {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding }).toString("base64url")}`;
}

const clock = standingClock(NOW);
const keys = {
  async verifier(keyId: string, algorithm: SigningAlgorithm) {
    const pairs: Record<string, KeyObject> = { "ES256 es256-a": es.publicKey, "RS256 rs256-a": rs.publicKey };
    const key = pairs[`${algorithm} ${keyId}`];
    return key === undefined ? undefined : ((await importJWK(await exportJWK(key), algorithm)) as CryptoKey);
  },
};

async function verify(token: string, live: TokenFamily | undefined = family) {
  const families = { findLiveBehind: async (jti: string) => (jti.split(".")[0] === family.id ? live : undefined) };
  try {
    return await verifyAccessToken({ keys, families, signatures: verifiedSignatures(), issuer: ISSUER, clock }, token);
  } catch (error) {
    return (error as Failure).reason ?? error;
  }
}
const without = (name: string, of: object) => Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));
const good = () => signed(HEADER, CLAIMS);
const parts = () => good().split(".") as [string, string, string];

/** The parts of a token whose signature holds a letter that base64 spells otherwise; nearly all do. */
function markedParts(): [string, string, string] {
  for (;;) {
    const tried = parts();
    if (/[-_]/.test(tried[2])) return tried;
  }
}

describe("verifying an access token (R-S12, S32, S33, S34)", () => {
  it("takes what we sign ourselves, by either algorithm", async () => {
    const expected = {
      id: expect.stringMatching(new RegExp(`^${family.id}\\.`)),
      personId: "person_1",
      applicationId: "app_1",
      scopes: ["openid", "email"],
      issuedAt: new Date(IAT * 1000),
      expiresAt: new Date((IAT + 3_600) * 1000),
      family,
    };
    const signer = { keyId: "es256-a", algorithm: "ES256", privateKey: es.privateKey } as const;
    const rsSigner = { keyId: "rs256-a", algorithm: "RS256", privateKey: rs.privateKey } as const;
    const deps = { random: seededRandom(), signatures: verifiedSignatures() };
    expect(await verify(await signAccessToken(content, { ...deps, signer }))).toEqual(expected);
    expect(await verify(await signAccessToken(content, { ...deps, signer: rsSigner }))).toEqual(expected);
    expect(await verify(good())).toEqual(expected);
  });

  it.each<JwtSigner>([
    { algorithm: "ES256", keyId: "es256-a", privateKey: es.privateKey },
    { algorithm: "RS256", keyId: "rs256-a", privateKey: rs.privateKey },
  ])("remembers of what it signs by $algorithm just what verifying it would find (R-X228)", async (signer) => {
    const signed = verifiedSignatures();
    const token = await signAccessToken(content, { random: seededRandom(), signatures: signed, signer });
    const found = verifiedSignatures();
    const families = { findLiveBehind: async () => family };
    await verifyAccessToken({ keys, families, signatures: found, issuer: ISSUER, clock }, token);
    const { payload, header } = found.find(token) ?? {};
    expect(signed.find(token)).toEqual({ payload, header: { kid: header?.kid, alg: header?.alg } });
  });

  it("takes one that it remembers without another look at its signature, until the second of its expiry (R-X228)", async () => {
    const signatures = verifiedSignatures();
    signatures.remember("without a signature", { header: HEADER, payload: CLAIMS });
    const families = { findLiveBehind: async () => family };
    const later = standingClock(NOW);
    const verifyRemembered = () =>
      verifyAccessToken({ keys, families, signatures, issuer: ISSUER, clock: later }, "without a signature");
    later.set(new Date(CLAIMS.exp * 1_000 - 1));
    await expect(verifyRemembered()).resolves.toMatchObject({ id: CLAIMS.jti, family });
    later.step(1);
    await expect(verifyRemembered()).rejects.toMatchObject({ check: "access_token.expired", reason: "invalid_token" });
  });

  it.each(["iss", "sub", "aud", "client_id", "scope", "iat", "exp", "jti"])("misses no %s (S33)", async (name) => {
    expect(await verify(signed(HEADER, without(name, CLAIMS)))).toBe("invalid_token");
  });

  it.each<[string, object]>([
    ["another issuer", { iss: "https://evil.example" }],
    ["the issuer with a slash", { iss: `${ISSUER}/` }],
    ["another audience", { aud: "app_1" }],
    ["several audiences without us", { aud: ["app_1", "app_2"] }],
    ["no audience in the list", { aud: [] }],
    ["an expiry now", { exp: IAT }],
    ["an expiry one second ago", { exp: IAT - 1 }],
    ["an expiry in words", { exp: "2999-01-01" }],
    ["an expiry as text", { exp: String(IAT + 60) }],
    ["an issue time as text", { iat: "now" }],
    ["an issue time between two seconds", { iat: IAT - 0.5 }],
    ["an expiry between two seconds", { exp: IAT + 60.5 }],
    ["a time before which it is not good", { nbf: IAT + 60 }],
    ["another person", { sub: "person_2" }],
    ["another application", { client_id: "app_2" }],
    ["a scope that does not exist", { scope: "openid admin" }],
    ["an empty scope", { scope: "" }],
    ["a list of scopes", { scope: ["openid"] }],
    ["another family", { jti: "other.x" }],
    ["no family", { jti: "" }],
    ["a number for its id", { jti: 1 }],
  ])("takes no token with %s, though we signed it", async (_, change) => {
    expect(await verify(signed(HEADER, { ...CLAIMS, ...change }))).toBe("invalid_token");
  });

  it.each<[string, object]>([
    ["an ID token's type", { ...HEADER, typ: "JWT" }],
    ["a logout token's type", { ...HEADER, typ: "logout+jwt" }],
    ["no type", without("typ", HEADER)],
    ["no key id", without("kid", HEADER)],
    ["an unknown key id", { ...HEADER, kid: "es256-b" }],
    ["white space around its key id", { ...HEADER, kid: " es256-a" }],
    ["a line feed after its key id", { ...HEADER, kid: "es256-a\n" }],
    ["a key id like a path", { ...HEADER, kid: "../../es256-a" }],
    ["a key id like SQL", { ...HEADER, kid: "es256-a' or '1'='1" }],
    ["a list of key ids", { ...HEADER, kid: ["es256-a"] }],
    ["a key id of the other algorithm", { ...HEADER, kid: "rs256-a" }],
    ["the algorithm none", { ...HEADER, alg: "none" }],
    ["the algorithm None", { ...HEADER, alg: "None" }],
    ["the algorithm ES384", { ...HEADER, alg: "ES384" }],
    ["the algorithm EdDSA", { ...HEADER, alg: "EdDSA" }],
    ["no algorithm", without("alg", HEADER)],
    ["a critical extension (crit)", { ...HEADER, crit: ["exp"], exp: IAT + 60 }],
    ["an unencoded payload (b64)", { ...HEADER, crit: ["b64"], b64: false }],
    ["an empty crit", { ...HEADER, crit: [] }],
  ])("takes no token with %s, though the true key signed it", async (_, header) => {
    expect(await verify(signed(header, CLAIMS))).toBe("invalid_token");
  });

  it.each<[string, () => string | Promise<string>]>([
    ["without a signature (alg none)", () => `${encode({ ...HEADER, alg: "none" })}.${encode(CLAIMS)}.`],
    ["signed by a stranger", () => signed(HEADER, CLAIMS, stranger.privateKey)],
    ["signed on another curve", () => signed(HEADER, CLAIMS, p384.privateKey)],
    ["signed in DER", () => signed(HEADER, CLAIMS, es.privateKey, "der" as "ieee-p1363")],
    [
      "that brings its own key (jwk)",
      async () => signed({ ...HEADER, jwk: await exportJWK(stranger.publicKey) }, CLAIMS, stranger.privateKey),
    ],
    [
      "that names where its key is (jku, x5u)",
      () =>
        signed(
          { ...HEADER, jku: "https://evil.example/k", x5u: "https://evil.example/c" },
          CLAIMS,
          stranger.privateKey,
        ),
    ],
    ["signed by HMAC with our public key in PEM", () => hmacWith(rs.publicKey.export({ type: "spki", format: "pem" }))],
    ["signed by HMAC with our public key in DER", () => hmacWith(rs.publicKey.export({ type: "spki", format: "der" }))],
    ["signed by HMAC with an empty key", () => hmacWith("")],
  ])("takes no token %s (S32)", async (_, make) => {
    expect(await verify(await make())).toBe("invalid_token");
  });

  function hmacWith(key: string | Buffer): string {
    const text = `${encode({ ...HEADER, alg: "HS256", kid: "rs256-a" })}.${encode(CLAIMS)}`;
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  }

  it.each<[string, (token: readonly [string, string, string]) => string]>([
    ["nothing", () => ""],
    ["dots", () => ".."],
    ["two parts", ([header, payload]) => `${header}.${payload}`],
    ["four parts", ([...all]) => `${all.join(".")}.x`],
    ["a dot behind it", ([...all]) => `${all.join(".")}.`],
    ["a space behind it", ([...all]) => `${all.join(".")} `],
    ["a line feed behind it", ([...all]) => `${all.join(".")}\n`],
    ["padding", ([header, payload, signature]) => `${header}.${payload}.${signature}==`],
    ["padding within", ([header, payload, signature]) => `${header}=.${payload}.${signature}`],
    ["junk that Node's decoder ignores", ([header, payload, signature]) => `${header}.${payload}.!${signature}`],
    ["base64 for base64url", () => inBase64(markedParts())],
    ["one more byte", ([header, payload, signature]) => `${header}.${payload}.${signature}AA`],
    ["one byte less", ([header, payload, signature]) => `${header}.${payload}.${signature.slice(0, -2)}`],
    ["other unused bits", ([header, payload, signature]) => `${header}.${payload}.${otherLastBits(signature)}`],
    ["its header re-encoded", ([header, payload, signature]) => `${reencoded(header)}.${payload}.${signature}`],
    ["its claims re-encoded", ([header, payload, signature]) => `${header}.${reencoded(payload)}.${signature}`],
    ["JSON serialization", ([header, payload, signature]) => JSON.stringify({ protected: header, payload, signature })],
    ["a zero signature", ([header, payload]) => `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`],
    ["4097 characters", () => signed(HEADER, { ...CLAIMS, padding: "x".repeat(4_096) })],
  ])("takes no token with %s (S34)", async (_, spoil) => {
    expect(await verify(spoil(parts()))).toBe("invalid_token");
  });

  it("takes a token of 4096 characters (S34)", async () => {
    const padded = (length: number) => signed(HEADER, { ...CLAIMS, padding: "x".repeat(length) });
    const longest = Array.from({ length: 1_000 }, (_, index) => padded(2_000 + index)).find(
      (token) => token.length === 4_096,
    );
    expect(await verify(longest ?? "there is none of this length")).toMatchObject({ applicationId: "app_1" });
  });

  it("is no verdict on the token when the keys cannot be read", async () => {
    const families = { findLiveBehind: async () => family };
    const away = { verifier: () => Promise.reject(new Error("The store is away.")) };
    const verified = verifyAccessToken(
      { keys: away, families, signatures: verifiedSignatures(), issuer: ISSUER, clock },
      good(),
    );
    await expect(verified).rejects.toThrow(/^The store is away\.$/);
  });

  it("takes no token with one character changed, cut or added", async () => {
    const token = good();
    const property = fc.asyncProperty(
      fc.nat({ max: token.length - 1 }),
      fc.constantFrom(..."ABCxyz019-_.=+/ \n\u0000é"),
      fc.constantFrom(0, 1),
      async (at, put, cut) => {
        const changed = token.slice(0, at) + (cut === 1 && put === "." ? "" : put) + token.slice(at + cut);
        fc.pre(changed !== token);
        return (await verify(changed)) === "invalid_token";
      },
    );
    await expect(fc.assert(property, { numRuns: 500 })).resolves.toBeUndefined();
  });

  it("takes no token of a family that is not alive (R-S11)", async () => {
    const nobody = undefined as unknown as TokenFamily;
    const families = { findLiveBehind: async () => nobody };
    const verified = verifyAccessToken(
      { keys, families, signatures: verifiedSignatures(), issuer: ISSUER, clock },
      good(),
    );
    await expect(verified).rejects.toMatchObject({ code: "UNAUTHENTICATED", reason: "invalid_token" });
  });

  it.each<[check: string, detail: string, make: () => string]>([
    ["access_token.invalid", "ERR_JOSE_ALG_NOT_ALLOWED", () => signed({ ...HEADER, alg: "ES384" }, CLAIMS)],
    ["access_token.expired", "ERR_JWT_EXPIRED", () => signed(HEADER, { ...CLAIMS, exp: IAT })],
    [
      "access_token.signature_wrong",
      "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
      () => signed(HEADER, CLAIMS, stranger.privateKey),
    ],
    [
      "access_token.claims_wrong",
      "ERR_JWT_CLAIM_VALIDATION_FAILED",
      () => signed(HEADER, { ...CLAIMS, iss: "https://evil.example" }),
    ],
    ["access_token.key_unknown", "unknown key", () => signed({ ...HEADER, kid: "x" }, CLAIMS)],
  ])("refuses by the check %s, and our log has its detail: %s (S33)", async (check, detail, make) => {
    const families = { findLiveBehind: async () => family };
    const verified = verifyAccessToken(
      { keys, families, signatures: verifiedSignatures(), issuer: ISSUER, clock },
      make(),
    );
    await expect(verified).rejects.toMatchObject({ check, detail, reason: "invalid_token" });
  });

  it("says one sentence whatever is wrong, and keeps the reason for the log", async () => {
    const tokens = ["", signed(HEADER, { ...CLAIMS, exp: IAT }), signed({ ...HEADER, kid: "x" }, CLAIMS)];
    const families = { findLiveBehind: async () => family };
    const failures = await Promise.all(
      tokens.map((token) =>
        verifyAccessToken({ keys, families, signatures: verifiedSignatures(), issuer: ISSUER, clock }, token).catch(
          (error: Failure) => error,
        ),
      ),
    );
    expect(failures.map((failure) => (failure as Failure).message)).toEqual(
      tokens.map(() => "The access token is invalid or has expired."),
    );
    expect(new Set(failures.map((failure) => (failure as Failure).detail)).size).toBe(3);
  });
});

const inBase64 = ([header, payload, signature]: readonly string[]) =>
  `${header}.${payload}.${toBase64(signature ?? "")}`;

const toBase64 = (text: string) => `${Buffer.from(text, "base64url").toString("base64").replace(/=+$/, "")}`;

/** The same bytes with other bits in the last character, which a loose decoder drops: 64 bytes leave four of its bits unused. */
function otherLastBits(signature: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = letters.indexOf(signature.at(-1) ?? "");
  return signature.slice(0, -1) + letters[last ^ 1];
}

/** The same JSON with a space in it. */
const reencoded = (part: string) =>
  Buffer.from(Buffer.from(part, "base64url").toString().replace("{", "{ ")).toString("base64url");
