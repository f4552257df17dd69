import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createSealer } from "../../src/runtime/sealing/sealing.ts";
import { authorizePath, Browser, newPkce, redeem, tokenOf } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";
import { countFound, shapesOf, shapesOfBytes } from "../support/secret-shapes.ts";
import { dump } from "../support/store-dump.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../support/world.ts";
import { linkFor } from "./conversations/set-password/set-password-kit.ts";
import { openSignOn, type SignOn, signOnSets, TEST_MASTER_KEY } from "./sign-on-fixture.ts";

const sha256 = (secret: string) => createHash("sha256").update(secret).digest();

eachStore((name, open) => {
  let opened: TestStore;
  let signOn: SignOn;
  let world: World;
  let secrets: Readonly<Record<string, string>>;
  const closeLater = closingAfterAll();

  /** A whole flow: sign-in, consent, code, tokens, refresh, userinfo; everything secret that was seen on the way. */
  beforeAll(async () => {
    opened = await open(signOnSets);
    signOn = await openSignOn(opened, closeLater);
    world = await makeWorld(signOn);
    const { verifier, challenge } = newPkce();
    const browser = new Browser(signOn.url);
    const login = await browser.follow(
      authorizePath(world, { code_challenge: challenge, code_challenge_method: "S256", prompt: "login" }),
    );
    const [interaction = ""] = [...browser.cookies.values()];
    const consent = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
    const { left } = await browser.submit(consent.answer, { decision: "approve" });
    const code = left?.searchParams.get("code") ?? "";
    const unspent = await browser.open(authorizePath(world));
    const { token: linkToken } = await linkFor(signOn, world.personId);
    const first = (await redeem(signOn.url, world, code, { code_verifier: verifier })).json<Record<string, string>>();
    const refreshed = await call(signOn.url, "/auth/token", {
      json: {
        grant_type: "refresh_token",
        refresh_token: first.refresh_token,
        client_id: world.application.id,
        client_secret: world.application.secret,
      },
    });
    const second = refreshed.json<Record<string, string>>();
    await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${second.access_token}` } });
    const abandoned = new Browser(signOn.url);
    await abandoned.follow(authorizePath(world));
    secrets = {
      interaction,
      "abandoned interaction": [...abandoned.cookies.values()][0] ?? "",
      session: browser.cookies.get("gatehouse_session") ?? "",
      "login form token": tokenOf(login.answer),
      "consent form token": tokenOf(consent.answer),
      code,
      "unspent code": new URL(unspent.headers.get("location") ?? "").searchParams.get("code") ?? "",
      verifier,
      "access token": first.access_token ?? "",
      "access token's signature": first.access_token?.split(".")[2] ?? "",
      "refreshed access token": second.access_token ?? "",
      "ID token": first.id_token ?? "",
      "rotated refresh token": first.refresh_token ?? "",
      "refresh token": second.refresh_token ?? "",
      "password link": linkToken,
      "application secret": world.application.secret,
      password: PASSWORD,
      "API key": world.apiKey,
    };
  });

  it("saw every secret, so that looking for them means something", () => {
    expect(Object.entries(secrets).filter(([, secret]) => secret.length < 28)).toEqual([]);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  });

  it("finds what is stored on purpose: digests, names and addresses", async () => {
    const haystack = await dump(opened.store);
    const stored = [
      "interaction",
      "abandoned interaction",
      "session",
      "unspent code",
      "refresh token",
      "password link",
    ];
    const missing = [...stored, "application secret", "API key"].filter(
      (key) => !haystack.includes(sha256(secrets[key] ?? "")),
    );
    expect(missing).toEqual([]);
    // Once replaced, not even the digest is kept (R-X225).
    const replaced = ["code", "rotated refresh token"];
    expect(replaced.filter((key) => haystack.includes(sha256(secrets[key] ?? "")))).toEqual([]);
    expect([world.email, world.application.id, "argon2id"].filter((text) => !haystack.includes(text))).toEqual([]);
  });

  it("finds no secret in any table, in any shape (S27)", async () => {
    const haystack = await dump(opened.store);
    const leaks = Object.entries(secrets).filter(([, secret]) => countFound(haystack, shapesOf(secret)) > 0);
    expect(leaks).toEqual([]);
  });

  it("finds no secret in the files of the embedded store, deleted pages and journal included (S27)", async () => {
    const { location } = opened;
    const files = name === "sqlite" ? [location, `${location}-wal`] : [];
    const haystack = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
    expect(haystack.includes(world.email)).toBe(name === "sqlite");
    const leaks = Object.entries(secrets).filter(([, secret]) => countFound(haystack, shapesOf(secret)) > 0);
    expect(leaks).toEqual([]);
  });

  it("logged no secret (S50)", () => {
    const haystack = Buffer.from(JSON.stringify(signOn.log.lines));
    expect(signOn.log.lines.length).toBeGreaterThan(10);
    expect(Object.entries(secrets).filter(([, secret]) => countFound(haystack, shapesOf(secret)) > 0)).toEqual([]);
  });

  it("keeps the signing keys sealed: no private member is in the store", async () => {
    const haystack = await dump(opened.store);
    const sealer = createSealer([TEST_MASTER_KEY], systemRandom);
    const rows = await signOn.db.selectFrom("sign_on_signing_keys").selectAll().execute();
    const opens = rows.map(({ key_id, sealed_private_key, public_jwk }) => {
      const der = sealer.open(sealed_private_key, `signing_key/${key_id}`);
      const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
      const jwk = key.export({ format: "jwk" });
      const publicJwk = createPublicKey(key).export({ format: "jwk" });
      expect(JSON.parse(public_jwk)).toEqual(publicJwk);
      const members = [jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].filter((member) => member !== undefined);
      const pem = key.export({ format: "pem", type: "pkcs8" }).toString().split("\n")[2] ?? "";
      const shapes = [
        ...members.flatMap((member) => shapesOfBytes(Buffer.from(member, "base64url"))),
        ...shapesOfBytes(der),
        Buffer.from(pem),
      ];
      return { key_id, leaks: countFound(haystack, shapes), sealed: haystack.includes(sealed_private_key) };
    });
    expect(opens.map(({ leaks, sealed }) => [leaks, sealed])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(haystack.includes(TEST_MASTER_KEY)).toBe(false);
    expect(haystack.includes("PRIVATE KEY")).toBe(false);
  });

  it("opens a sealed key for its own row and with the master key only (R-D6)", async () => {
    const [one, other] = await signOn.db.selectFrom("sign_on_signing_keys").selectAll().execute();
    const sealed = one?.sealed_private_key ?? Buffer.alloc(0);
    const right = createSealer([Buffer.alloc(32, 9), TEST_MASTER_KEY], systemRandom);
    const wrong = createSealer([Buffer.alloc(32, 9)], systemRandom);
    expect(right.open(sealed, `signing_key/${one?.key_id}`).length).toBeGreaterThan(100);
    expect(() => wrong.open(sealed, `signing_key/${one?.key_id}`)).toThrow();
    expect(() => right.open(sealed, `signing_key/${other?.key_id}`)).toThrow();
    const changed = Buffer.from(sealed);
    changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1;
    expect(() => right.open(changed, `signing_key/${one?.key_id}`)).toThrow();
  });
});
