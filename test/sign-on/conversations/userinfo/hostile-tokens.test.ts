import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { systemRandom } from "../../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../../src/runtime/sealing/sealing.ts";
import { readIdTokenHint } from "../../../../src/sign-on/id-tokens/id-token-hint.ts";
import { obtainCode, redeem } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { describeSignOn, TEST_MASTER_KEY } from "../../sign-on-fixture.ts";
import { openKeys } from "../../signing-keys/keys-fixture.ts";

type Part = Readonly<Record<string, unknown>>;
interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}

/** A good token in its parts, with everything that an attacker could have, and the true private key besides. */
interface Material {
  readonly token: string;
  readonly header: Part;
  readonly claims: Part;
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
  /** The key id of the other algorithm's key. */
  readonly otherKeyId: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Part;
const without = (name: string, of: Part): Part =>
  Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));

const stranger = {
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

const signedText = (text: string, key: KeyObject) =>
  `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
const signed = (header: Part, claims: Part, key: KeyObject) => signedText(`${encode(header)}.${encode(claims)}`, key);
const headed = (change: Part) => (good: Material) => signed({ ...good.header, ...change }, good.claims, good.key);
const claiming = (change: Part) => (good: Material) => signed(good.header, { ...good.claims, ...change }, good.key);
const hmac = (secret: (good: Material) => string | Buffer) => (good: Material) => {
  const text = `${encode({ ...good.header, alg: "HS256" })}.${encode(good.claims)}`;
  return `${text}.${createHmac("sha256", secret(good)).update(text).digest("base64url")}`;
};
const unsigned = (alg: string) => (good: Material) => `${encode({ ...good.header, alg })}.${encode(good.claims)}.`;
const parts = (spoil: (header: string, claims: string, signature: string) => string) => (good: Material) =>
  spoil(...(good.token.split(".") as [string, string, string]));
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const lastBits = (part: string) => part.slice(0, -1) + LETTERS[LETTERS.indexOf(part.at(-1) ?? "") ^ 1];
const spaced = (part: string) =>
  Buffer.from(Buffer.from(part, "base64url").toString().replace("{", "{ ")).toString("base64url");

/** By statement: what an attacker sends. Where it matters the true key signs, so that only the one check can refuse. */
const HOSTILE: readonly (readonly [string, (good: Material) => string])[] = [
  ["S32 alg none", unsigned("none")],
  ["S32 alg None", unsigned("None")],
  ["S32 alg nOnE", unsigned("nOnE")],
  ["S32 no alg", (good) => signed(without("alg", good.header), good.claims, good.key)],
  ["S32 HS256 with our public key in PEM", hmac(({ publicKey }) => publicKey.export({ type: "spki", format: "pem" }))],
  ["S32 HS256 with our public key in DER", hmac(({ publicKey }) => publicKey.export({ type: "spki", format: "der" }))],
  [
    "S32 HS256 with our public key as a JWK",
    hmac(({ publicKey }) => JSON.stringify(publicKey.export({ format: "jwk" }))),
  ],
  ["S32 HS256 with no key", hmac(() => "")],
  ["S32 another alg of the same family", headed({ alg: "RS512" })],
  ["S32 alg ES384", headed({ alg: "ES384" })],
  ["S32 alg EdDSA", headed({ alg: "EdDSA" })],
  ["S32 alg that is a list", headed({ alg: ["ES256", "RS256"] })],
  ["S32 alg with a space", headed({ alg: "ES256 " })],
  ["S32 the key of the other algorithm", (good) => headed({ kid: good.otherKeyId })(good)],
  ["S32 no kid", (good) => signed(without("kid", good.header), good.claims, good.key)],
  ["S32 an unknown kid", headed({ kid: "es256-unknown" })],
  ["S32 an empty kid", headed({ kid: "" })],
  ["S32 a kid like a path", headed({ kid: "../../../../dev/null" })],
  ["S32 a kid like SQL", headed({ kid: "' union select public_jwk from sign_on_signing_keys --" })],
  ["S32 a kid like a property", headed({ kid: "__proto__" })],
  ["S32 a kid that is a number", headed({ kid: 1 })],
  ["S32 a kid that is an object", headed({ kid: { toString: "x" } })],
  ["S32 white space before the kid", (good) => headed({ kid: ` ${String(good.header.kid)}` })(good)],
  ["S32 white space after the kid", (good) => headed({ kid: `${String(good.header.kid)}\n` })(good)],
  ["S32 a NUL in the kid", (good) => headed({ kid: `${String(good.header.kid)}\u0000` })(good)],
  ["S32 signed by a stranger", (good) => signed(good.header, good.claims, strangerOf(good).privateKey)],
  [
    "S32 jwk: its own key",
    (good) =>
      signed(
        { ...good.header, jwk: strangerOf(good).publicKey.export({ format: "jwk" }) },
        good.claims,
        strangerOf(good).privateKey,
      ),
  ],
  [
    "S32 jku and x5u: where its key is",
    (good) =>
      signed(
        { ...good.header, jku: "https://evil.example/k", x5u: "https://evil.example/c" },
        good.claims,
        strangerOf(good).privateKey,
      ),
  ],
  [
    "S32 x5c: its own certificate",
    (good) => signed({ ...good.header, x5c: ["MIIB"] }, good.claims, strangerOf(good).privateKey),
  ],
  ["S32 crit with what we do not know", headed({ crit: ["exp"], exp: 4_102_444_800 })],
  ["S32 crit, empty", headed({ crit: [] })],
  ["S32 crit that is no list", headed({ crit: "b64" })],
  ["S32 b64: an unencoded payload", headed({ crit: ["b64"], b64: false })],
  ["S32 zip: compressed claims", headed({ crit: ["zip"], zip: "DEF" })],

  ...["iss", "sub", "aud", "client_id", "scope", "iat", "exp", "jti"].map(
    (name) =>
      [`S33 no ${name}`, (good: Material) => signed(good.header, without(name, good.claims), good.key)] as const,
  ),
  ["S33 no typ", (good) => signed(without("typ", good.header), good.claims, good.key)],
  ["S33 typ JWT, as ID tokens have", headed({ typ: "JWT" })],
  ["S33 typ logout+jwt", headed({ typ: "logout+jwt" })],
  ["S33 typ that is a list", headed({ typ: ["at+jwt"] })],
  ["S33 another iss", claiming({ iss: "https://evil.example" })],
  ["S33 the iss with a slash", (good) => claiming({ iss: `${String(good.claims.iss)}/` })(good)],
  ["S33 an iss that is a list", (good) => claiming({ iss: [good.claims.iss] })(good)],
  ["S33 another aud (RFC 9700 statement 26)", (good) => claiming({ aud: good.claims.client_id })(good)],
  ["S33 an empty aud", claiming({ aud: [] })],
  ["S33 exp now", (good) => claiming({ exp: good.claims.iat })(good)],
  ["S33 exp as text", claiming({ exp: "4102444800" })],
  ["S33 exp that is null", claiming({ exp: null })],
  ["S33 exp beyond all numbers", (good) => withClaim(good, '"exp":1e999')],
  ["S33 exp with a fraction", (good) => claiming({ exp: Number(good.claims.exp) + 0.5 })(good)],
  ["S33 iat below all numbers", (good) => withClaim(good, `"exp":${String(good.claims.exp)},"iat":-1e999`)],
  ["S33 iat as text", claiming({ iat: "now" })],
  ["S33 nbf to come", (good) => claiming({ nbf: Number(good.claims.exp) })(good)],
  ["S33 another sub", claiming({ sub: "person_000000000000000000000" })],
  ["S33 a sub that is an object", claiming({ sub: {} })],
  ["S33 another client_id", claiming({ client_id: "app_000000000000000000000" })],
  ["S33 a scope that does not exist", claiming({ scope: "openid admin" })],
  ["S33 a scope that is a list", claiming({ scope: ["openid"] })],
  ["S33 a jti of no family", claiming({ jti: "unknown.x" })],
  ["S33 a jti that is a number", claiming({ jti: 1 })],
  ["S33 claims that are a list", (good) => signedText(`${encode(good.header)}.${encode([good.claims])}`, good.key)],
  ["S33 claims that are null", (good) => signedText(`${encode(good.header)}.${encode(null)}`, good.key)],
  [
    "S33 claims that are no JSON",
    (good) => signedText(`${encode(good.header)}.${Buffer.from("{").toString("base64url")}`, good.key),
  ],
  [
    "S33 claims that are no UTF-8",
    (good) => signedText(`${encode(good.header)}.${Buffer.of(0x7b, 0xff, 0x7d).toString("base64url")}`, good.key),
  ],
  ["S33 a header that is null", (good) => signedText(`${encode(null)}.${encode(good.claims)}`, good.key)],
  ["S33 a header that is a list", (good) => signedText(`${encode([good.header])}.${encode(good.claims)}`, good.key)],
  [
    "S33 a header two thousand levels deep",
    (good) => signedText(`${Buffer.from("[".repeat(2_000)).toString("base64url")}.${encode(good.claims)}`, good.key),
  ],

  ["S34 two parts", parts((header, claims) => `${header}.${claims}`)],
  ["S34 no signature", parts((header, claims) => `${header}.${claims}.`)],
  ["S34 no header", parts((_, claims, signature) => `.${claims}.${signature}`)],
  ["S34 no claims", parts((header, _, signature) => `${header}..${signature}`)],
  ["S34 four parts", parts((...all) => `${all.join(".")}.x`)],
  ["S34 five parts, like an encrypted token", parts((...all) => `${all.join(".")}.x.y`)],
  ["S34 a dot behind it", parts((...all) => `${all.join(".")}.`)],
  ["S34 a character behind it", parts((...all) => `${all.join(".")}A`)],
  ["S34 bytes behind it", parts((...all) => `${all.join(".")}AAAA`)],
  ["S34 a character less", parts((...all) => all.join(".").slice(0, -1))],
  ["S34 its first character less", parts((...all) => all.join(".").slice(1))],
  ["S34 padded", parts((...all) => `${all.join(".")}==`)],
  ["S34 a padded header", parts((header, claims, signature) => `${header}=.${claims}.${signature}`)],
  ["S34 other unused bits", parts((header, claims, signature) => `${header}.${claims}.${lastBits(signature)}`)],
  ["S34 a header re-encoded", parts((header, claims, signature) => `${spaced(header)}.${claims}.${signature}`)],
  ["S34 claims re-encoded", parts((header, claims, signature) => `${header}.${spaced(claims)}.${signature}`)],
  ["S34 in capitals", parts((...all) => all.join(".").toUpperCase())],
  ["S34 base64 for base64url", parts((header, claims, signature) => `${header}.${claims}.+/${signature.slice(2)}`)],
  ["S34 junk that Node's decoder ignores", parts((header, claims, signature) => `${header}.${claims}.~${signature}`)],
  [
    "S34 a signature of zeros",
    parts((header, claims, signature) => `${header}.${claims}.${"A".repeat(signature.length)}`),
  ],
  [
    "S34 the signature of other claims",
    (good) =>
      parts((header, _, signature) => `${header}.${encode({ ...good.claims, scope: "openid" })}.${signature}`)(good),
  ],
  ["S34 five thousand characters", claiming({ padding: "x".repeat(5_000) })],
];

const strangerOf = ({ header }: Material) => stranger[header.alg === "RS256" ? "RS256" : "ES256"];

/** The claims with one of them as written, which JSON.stringify would not write. */
const withClaim = (good: Material, text: string): string => {
  const claims = `${JSON.stringify(without("exp", good.claims)).slice(0, -1)},${text}}`;
  return signedText(`${encode(good.header)}.${Buffer.from(claims).toString("base64url")}`, good.key);
};

describe.each(["ES256", "RS256"] as const)("with %s access tokens (R-S12, S32, S33, S34)", (algorithm) => {
  describeSignOn(
    "GET /auth/userinfo, shown hostile tokens (R-X105)",
    (scene) => {
      let good: Material;
      let tokens: Tokens;
      beforeAll(async () => {
        const { signOn, world } = scene();
        tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json();
        const [header, claims] = tokens.access_token.split(".").map((part, index) => (index < 2 ? decode(part) : {}));
        const rows = await signOn.db.selectFrom("sign_on_signing_keys").selectAll().execute();
        const own = rows.find(({ algorithm: one }) => one === algorithm);
        const der = createSealer([TEST_MASTER_KEY], systemRandom).open(
          own?.sealed_private_key ?? Buffer.alloc(0),
          `signing_key/${own?.key_id}`,
        );
        const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
        good = {
          token: tokens.access_token,
          header: header ?? {},
          claims: claims ?? {},
          key,
          publicKey: createPublicKey(key),
          otherKeyId: rows.find(({ algorithm: one }) => one !== algorithm)?.key_id ?? "",
        };
      });
      const read = (token: string): Promise<Answer> =>
        call(scene().signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } });
      const shape = (answer: Answer) => ({
        status: answer.status,
        challenged: answer.headers.get("www-authenticate")?.startsWith('Bearer realm="userinfo"') ?? false,
        cached: answer.headers.get("cache-control"),
        error: answer.json<{ error?: string }>().error,
      });
      const REFUSED = { status: 401, challenged: true, cached: "no-store", error: "invalid_token" };

      it("takes the good token, and one that only this test has signed", async () => {
        expect(good.header).toMatchObject({ alg: algorithm, typ: "at+jwt" });
        expect((await read(good.token)).status).toBe(200);
        expect((await read(signed(good.header, good.claims, good.key))).status).toBe(200);
      });

      it.each(HOSTILE)("refuses %s", async (_, make) => {
        expect(shape(await read(make(good)))).toEqual(REFUSED);
      });

      it("refuses an ID token, whichever algorithm access tokens have (S33)", async () => {
        expect(decode(tokens.id_token.split(".")[0])).toMatchObject({ alg: "RS256", typ: "JWT" });
        expect(shape(await read(tokens.id_token))).toEqual(REFUSED);
      });

      it("takes no access token for an ID token (S33, RFC 9068 §2.1)", async () => {
        const { signOn, world } = scene();
        const { keys } = openKeys(signOn.opened, { clock: signOn.clock });
        const deps = { keys, issuer: signOn.issuer };
        expect(await readIdTokenHint(deps, tokens.access_token)).toBeUndefined();
        expect(await readIdTokenHint(deps, tokens.id_token)).toMatchObject({ personId: world.personId });
      });

      it("refuses the token with any one character changed, cut or added (S34)", async () => {
        const property = fc.asyncProperty(
          fc.nat({ max: good.token.length }),
          fc.constantFrom(...LETTERS, ..."._=+/~!%, "),
          fc.constantFrom(0, 1),
          async (at, put, cut) => {
            const changed = good.token.slice(0, at) + put + good.token.slice(at + cut);
            // The blanks around a header's value are not part of it.
            fc.pre(changed.trim() !== good.token);
            const { status, challenged } = shape(await read(changed));
            return status === 401 && challenged;
          },
        );
        await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
        expect((await read(good.token)).status).toBe(200);
      });

      it("none of it is logged as our fault (S50)", () => {
        expect(scene().signOn.log.lines.filter(({ level }) => level === "error")).toEqual([]);
      });
    },
    { settings: { "access-token-algorithm": algorithm } },
  );
});
