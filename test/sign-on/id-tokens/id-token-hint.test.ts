import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { type CryptoKey, exportJWK, importJWK } from "jose";
import { readIdTokenHint } from "../../../src/sign-on/id-tokens/id-token-hint.ts";
import type { SigningAlgorithm } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";

const ISSUER = "https://sign-on.example";
const rs = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const HEADER = { alg: "RS256", typ: "JWT", kid: "rs256-a" };
const CLAIMS = {
  iss: ISSUER,
  sub: "person_000000000000000000001",
  aud: "app_000000000000000000001",
  exp: 1,
  iat: 0,
  sid: "SE9YUmSHTDFG1P1rIzpieQ",
};

const keys = {
  async hintVerifier(keyId: string, algorithm: SigningAlgorithm) {
    const known = keyId === "rs256-a" && algorithm === "RS256";
    return known ? ((await importJWK(await exportJWK(rs.publicKey), algorithm)) as CryptoKey) : undefined;
  },
};
const read = (hint: string) => readIdTokenHint({ keys, issuer: ISSUER }, hint);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(header: object, claims: unknown, key: KeyObject = rs.privateKey): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
const without = (name: string, of: object) => Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));

describe("reading an id_token_hint (OIDC Core §3.1.2.1, RP-Initiated Logout §2)", () => {
  it("takes an ID token of ours, long expired", async () => {
    const expected = {
      personId: "person_000000000000000000001",
      applicationId: "app_000000000000000000001",
      sid: "SE9YUmSHTDFG1P1rIzpieQ",
    };
    expect(await read(signed(HEADER, CLAIMS))).toEqual(expected);
    expect(await read(signed(HEADER, without("sid", CLAIMS)))).toEqual({ ...expected, sid: undefined });
  });

  it.each<[string, unknown]>([
    ["another issuer", { ...CLAIMS, iss: "https://evil.example" }],
    ["no issuer", without("iss", CLAIMS)],
    ["no subject", without("sub", CLAIMS)],
    ["a subject that is no person", { ...CLAIMS, sub: "app_000000000000000000001" }],
    ["no audience", without("aud", CLAIMS)],
    ["an audience that is no application", { ...CLAIMS, aud: ISSUER }],
    ["several audiences", { ...CLAIMS, aud: ["app_000000000000000000001", "app_000000000000000000002"] }],
    ["claims that are a list", [CLAIMS]],
    ["claims that are null", null],
  ])("takes no token with %s, though we signed it", async (_, claims) => {
    expect(await read(signed(HEADER, claims))).toBeUndefined();
  });

  it.each<[string, object]>([
    ["an access token's type (RFC 9068 §2.1)", { ...HEADER, typ: "at+jwt" }],
    ["a logout token's type", { ...HEADER, typ: "logout+jwt" }],
    ["no type", without("typ", HEADER)],
    ["no key id", without("kid", HEADER)],
    ["an unknown key id", { ...HEADER, kid: "rs256-b" }],
    ["a list of key ids", { ...HEADER, kid: ["rs256-a"] }],
    ["another algorithm", { ...HEADER, alg: "RS512" }],
    ["the algorithm none", { ...HEADER, alg: "none" }],
    ["a critical extension", { ...HEADER, crit: ["b64"], b64: false }],
  ])("takes no token with %s, though the true key signed it (S32, S33)", async (_, header) => {
    expect(await read(signed(header, CLAIMS))).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ["nothing", () => ""],
    ["dots", () => ".."],
    ["words", () => "not a token"],
    ["a token without a signature", () => `${encode({ ...HEADER, alg: "none" })}.${encode(CLAIMS)}.`],
    ["a token signed by a stranger", () => signed(HEADER, CLAIMS, stranger.privateKey)],
    [
      "a token signed by HMAC with our public key",
      () => hmacWith(rs.publicKey.export({ type: "spki", format: "pem" })),
    ],
    ["a token with padding", () => `${signed(HEADER, CLAIMS)}==`],
    ["claims that are not JSON", () => signedText("{")],
    ["more than 65536 characters", () => signed(HEADER, { ...CLAIMS, padding: "x".repeat(65_536) })],
  ])("takes %s for nothing (S32, S34)", async (_, make) => {
    expect(await read(make())).toBeUndefined();
  });

  it("takes no token with one character changed, cut or added", async () => {
    const token = signed(HEADER, CLAIMS);
    const property = fc.asyncProperty(
      fc.nat({ max: token.length - 1 }),
      fc.constantFrom(..."ABCxyz019-_.=+/ \n\u0000é"),
      fc.constantFrom(0, 1),
      async (at, put, cut) => {
        const changed = token.slice(0, at) + put + token.slice(at + cut);
        fc.pre(changed !== token);
        return (await read(changed)) === undefined;
      },
    );
    await expect(fc.assert(property, { numRuns: 300 })).resolves.toBeUndefined();
  });

  it("does not hide a store that does not answer", async () => {
    const away = { hintVerifier: () => Promise.reject(new Error("no store")) };
    await expect(readIdTokenHint({ keys: away, issuer: ISSUER }, signed(HEADER, CLAIMS))).rejects.toThrow("no store");
  });
});

function hmacWith(key: string | Buffer): string {
  const text = `${encode({ ...HEADER, alg: "HS256" })}.${encode(CLAIMS)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

function signedText(claims: string): string {
  const text = `${encode(HEADER)}.${Buffer.from(claims).toString("base64url")}`;
  return `${text}.${sign("sha256", Buffer.from(text), rs.privateKey).toString("base64url")}`;
}
