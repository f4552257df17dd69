import { createPublicKey, type JsonWebKey } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { components } from "../../../../generated/types/sign-on.ts";
import { authorizePath, Browser, newPkce, obtainCode, redeem, signIn } from "../../../support/browser.ts";
import { type Answer, type CallInit, call, sendRaw } from "../../../support/http.ts";
import { oauthError } from "../../../support/oauth-error.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";
import { publicApplication } from "../token/public-application.ts";

const DISCOVERY = "/.well-known/openid-configuration";
const OAUTH = "/.well-known/oauth-authorization-server";
const JWKS = "/.well-known/jwks.json";

type Configuration = components["schemas"]["OpenidConfiguration"];
interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}
type Key = JsonWebKey & { readonly kid: string; readonly alg: string; readonly use: string };

const headersOf = (answer: Answer) => [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
const errorOf = (answer: Answer) =>
  new URL(answer.headers.get("location") ?? "none:", "http://x").searchParams.get("error");
const pathOf = (answer: Answer) => new URL(answer.headers.get("location") ?? "none:", "http://x").pathname;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as object;

describeSignOn(
  "GET /.well-known/openid-configuration (OpenID Connect Discovery 1.0 §4): every value is true",
  (scene) => {
    let document: Configuration;
    beforeAll(async () => {
      document = (await call(scene().signOn.url, DISCOVERY)).json();
    });
    /** The listener behind an address of the document. */
    const at = (address: string) => {
      expect(address.startsWith(`${document.issuer}/`)).toBe(true);
      return address.slice(document.issuer.length);
    };
    const authorize = (parameters: Readonly<Record<string, string | undefined>>) =>
      call(scene().signOn.url, authorizePath(scene().world, parameters));

    it("issuer: the configured one, also in tokens and responses, byte for byte (RFC 8414 §2)", async () => {
      const { signOn, world } = scene();
      const tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
      const error = new URL((await authorize({ prompt: "none" })).headers.get("location") ?? "");
      const issuers = [
        document.issuer,
        error.searchParams.get("iss"),
        ...[tokens.id_token, tokens.access_token].map((token) => (claimsOf(token) as { iss: string }).iss),
      ];
      expect(issuers).toEqual(Array(4).fill(signOn.issuer));
    });

    it("is the same under its OAuth name, headers included (RFC 8414 §3, RFC 9700 statement 35)", async () => {
      const { signOn } = scene();
      const [openid, oauth] = [await call(signOn.url, DISCOVERY), await call(signOn.url, OAUTH)];
      expect([oauth.status, oauth.text]).toEqual([200, openid.text]);
      expect(headersOf(oauth)).toEqual(headersOf(openid));
    });

    it("lists every address that applications call, and each answers", async () => {
      const { signOn } = scene();
      const answers = [
        await call(signOn.url, at(document.authorization_endpoint)),
        await call(signOn.url, at(document.token_endpoint), { form: {} }),
        await call(signOn.url, at(document.userinfo_endpoint)),
        await call(signOn.url, at(document.userinfo_endpoint), { form: {} }),
        await call(signOn.url, at(document.revocation_endpoint), { form: {} }),
        await call(signOn.url, at(document.introspection_endpoint), { form: {} }),
        await call(signOn.url, at(document.jwks_uri)),
        await call(signOn.url, at(document.end_session_endpoint)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 401, 401, 400, 400, 200, 303]);
      const addresses = Object.keys(document).filter((name) => /_(endpoint|uri)$/.test(name));
      expect(addresses.sort()).toEqual([
        "authorization_endpoint",
        "end_session_endpoint",
        "introspection_endpoint",
        "jwks_uri",
        "revocation_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
      ]);
    });

    it("scopes_supported: each is accepted, another is not", async () => {
      const accepted = await Promise.all(document.scopes_supported.map((scope) => authorize({ scope })));
      expect(accepted.map(pathOf)).toEqual(document.scopes_supported.map(() => "/auth/login"));
      expect(document.scopes_supported).toContain("openid");
      expect(errorOf(await authorize({ scope: "openid address" }))).toBe("invalid_scope");
    });

    it("response_types_supported and response_modes_supported: each is accepted, others are not", async () => {
      const accepted = await Promise.all([
        ...document.response_types_supported.map((response_type) => authorize({ response_type })),
        ...document.response_modes_supported.map((response_mode) => authorize({ response_mode })),
      ]);
      expect(accepted.map(pathOf)).toEqual(accepted.map(() => "/auth/login"));
      const others = ["token", "id_token", "code token", "code id_token", "none"];
      const refused = await Promise.all(others.map((response_type) => authorize({ response_type })));
      expect(refused.map(errorOf)).toEqual(others.map(() => "unsupported_response_type"));
      const modes = await Promise.all(
        ["fragment", "query.jwt", "jwt"].map((response_mode) => authorize({ response_mode })),
      );
      expect(modes.map(errorOf)).toEqual(Array(3).fill("invalid_request"));
    });

    it("prompt_values_supported: each has its effect, another is refused", async () => {
      const answers = await Promise.all(document.prompt_values_supported.map((prompt) => authorize({ prompt })));
      const effects = answers.map((answer) => errorOf(answer) ?? pathOf(answer));
      expect(
        Object.fromEntries(document.prompt_values_supported.map((prompt, index) => [prompt, effects[index]])),
      ).toEqual({
        none: "login_required",
        login: "/auth/login",
        consent: "/auth/login",
        select_account: "/auth/login",
      });
      expect(errorOf(await authorize({ prompt: "create" }))).toBe("invalid_request");
    });

    it("ui_locales_supported: each is the language of the pages then, another is not", async () => {
      const languageOf = async (ui_locales: string) => {
        const { signOn } = scene();
        const at = (await authorize({ ui_locales })).headers.get("location") ?? "";
        const page = await call(signOn.url, at);
        return [page.headers.get("content-language"), /<html lang="([^"]+)"/.exec(page.text)?.[1]];
      };
      expect(document.ui_locales_supported).toEqual(["en", "de"]);
      const languages = await Promise.all(document.ui_locales_supported.map(languageOf));
      expect(languages).toEqual(document.ui_locales_supported.map((tag) => [tag, tag]));
      expect(await languageOf("fr")).toEqual(["en", "en"]);
    });

    it("code_challenge_methods_supported: S256, and nothing else", async () => {
      const code_challenge = newPkce().challenge;
      const accepted = await Promise.all(
        document.code_challenge_methods_supported.map((method) =>
          authorize({ code_challenge, code_challenge_method: method }),
        ),
      );
      expect(accepted.map(pathOf)).toEqual(["/auth/login"]);
      expect(errorOf(await authorize({ code_challenge, code_challenge_method: "plain" }))).toBe("invalid_request");
    });

    it("request objects and the claims parameter: as announced", async () => {
      expect(document).toMatchObject({
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: true,
      });
      expect(errorOf(await authorize({ request: "e30.e30." }))).toBe("request_not_supported");
      expect(errorOf(await authorize({ request_uri: "https://app.example/r" }))).toBe("request_uri_not_supported");
      expect(pathOf(await authorize({ claims: '{"userinfo":{"name":{"essential":true}}}' }))).toBe("/auth/login");
      expect(errorOf(await authorize({ claims: "name" }))).toBe("invalid_request");
    });

    it("acr_values_supported: each can be essential, another cannot", async () => {
      const essential = (value: string) =>
        authorize({ claims: JSON.stringify({ id_token: { acr: { essential: true, value } } }) });
      const accepted = await Promise.all(document.acr_values_supported.map(essential));
      expect(accepted.map(pathOf)).toEqual(["/auth/login"]);
      expect(errorOf(await essential("phr"))).toBe("access_denied");
    });

    it("grant_types_supported and token_endpoint_auth_methods_supported: each works, others do not", async () => {
      const { signOn, world } = scene();
      const { id, secret } = world.application;
      const send = (form: Readonly<Record<string, string>>, headers = {}) =>
        call(signOn.url, at(document.token_endpoint), { form, headers });
      const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
      const ways: Readonly<Record<string, (form: Readonly<Record<string, string>>) => Promise<Answer>>> = {
        client_secret_basic: (form) => send(form, basic),
        client_secret_post: (form) => send({ ...form, client_id: id, client_secret: secret }),
        none: (form) => send({ ...form, client_id: id }),
      };
      // A grant that is known fails for its missing parameter, one that is not for its name; neither spends anything.
      const grants = await Promise.all(document.grant_types_supported.map((grant_type) => send({ grant_type })));
      expect(document.grant_types_supported).toEqual(["authorization_code", "refresh_token"]);
      expect(grants.map((answer) => answer.json<{ error: string }>().error)).toEqual([
        "invalid_request",
        "invalid_request",
      ]);
      expect((await send({ grant_type: "client_credentials" })).json()).toMatchObject({
        error: "unsupported_grant_type",
      });
      const unknown = { grant_type: "refresh_token", refresh_token: "x" };
      const answers = await Promise.all(
        document.token_endpoint_auth_methods_supported.map((way) => ways[way]?.(unknown)),
      );
      // `none` is for public applications; this one is confidential. The others get as far as the token.
      expect(answers.map((answer) => answer?.json<{ error: string }>().error)).toEqual([
        "invalid_grant",
        "invalid_grant",
        "invalid_client",
      ]);
    });

    it("auth methods of revocation and introspection: each works, others do not (RFC 8414 §2)", async () => {
      const { signOn, world } = scene();
      const { id, secret } = world.application;
      const open = await publicApplication(scene());
      const ask = async (address: string, way: string) => {
        const proofs: Readonly<Record<string, CallInit>> = {
          client_secret_basic: {
            form: { token: "x" },
            headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
          },
          client_secret_post: { form: { token: "x", client_id: id, client_secret: secret } },
          none: { form: { token: "x", client_id: open.application.id } },
        };
        return (await call(signOn.url, at(address), proofs[way] ?? {})).status;
      };
      const all = ["client_secret_basic", "client_secret_post", "none"];
      const statuses = async (address: string) =>
        Object.fromEntries(await Promise.all(all.map(async (way) => [way, await ask(address, way)])));
      const announced = (methods: readonly string[], refused: number) =>
        Object.fromEntries(all.map((way) => [way, methods.includes(way) ? 200 : refused]));
      expect(await statuses(document.revocation_endpoint)).toEqual(
        announced(document.revocation_endpoint_auth_methods_supported, 400),
      );
      expect(await statuses(document.introspection_endpoint)).toEqual(
        announced(document.introspection_endpoint_auth_methods_supported, 401),
      );
      expect(document.introspection_endpoint_auth_methods_supported).not.toContain("none");
    });

    it("claims_supported: exactly the claims that ID token and userinfo can have", async () => {
      const { signOn, world } = scene();
      const left = await signIn(
        new Browser(signOn.url),
        authorizePath(world, { scope: "openid profile email", nonce: "n" }),
        world,
      );
      const tokens = (await redeem(signOn.url, world, left.searchParams.get("code") ?? "")).json<Tokens>();
      const authorization = `Bearer ${tokens.access_token}`;
      const info = await call(signOn.url, at(document.userinfo_endpoint), { headers: { authorization } });
      const returned = new Set([...Object.keys(claimsOf(tokens.id_token)), ...Object.keys(info.json<object>())]);
      // R-S4: the sample's spelling of aud is no claim that anybody should ask for.
      returned.delete("aub");
      expect([...returned].sort()).toEqual([...document.claims_supported].sort());
      expect(document.claim_types_supported).toEqual(["normal"]);
      expect(document.subject_types_supported).toEqual(["public"]);
    });

    it("id_token_signing_alg_values_supported: RS256, with a key for it in the set", async () => {
      const { signOn, world } = scene();
      const { keys } = (await call(signOn.url, at(document.jwks_uri))).json<{ keys: readonly Key[] }>();
      const tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
      const header = JSON.parse(Buffer.from(tokens.id_token.split(".")[0] ?? "", "base64url").toString()) as Key;
      expect(document.id_token_signing_alg_values_supported).toEqual([header.alg]);
      expect(keys.find(({ kid }) => kid === header.kid)?.alg).toBe("RS256");
    });

    it("names no address of another host, whatever the request says (S36)", async () => {
      const { signOn } = scene();
      const plain = await call(signOn.url, DISCOVERY);
      const forged = [
        { host: "evil.example" },
        { host: "evil.example:443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
        { forwarded: "for=1.2.3.4;host=evil.example;proto=https", "x-forwarded-for": "1.2.3.4" },
        {
          "x-original-url": "/evil",
          "x-rewrite-url": "/evil",
          "x-forwarded-prefix": "/evil",
          "x-forwarded-port": "444",
        },
        { accept: "text/html", "accept-language": "de", origin: "https://evil.example" },
      ];
      const answers = await Promise.all(forged.map((headers) => call(signOn.url, DISCOVERY, { headers })));
      expect(answers.map(({ text }) => text)).toEqual(forged.map(() => plain.text));
      expect(answers.map(headersOf)).toEqual(forged.map(() => headersOf(plain)));
      const query = await call(signOn.url, `${DISCOVERY}?issuer=https://evil.example`);
      expect(query.text).toBe(plain.text);
      const absolute = `GET http://evil.example${DISCOVERY} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`;
      expect((await sendRaw(signOn.url, absolute, { end: false })).answers.map(({ status }) => status)).toEqual([400]);
    });

    it("may be cached for as long as it says, and is public (S30)", async () => {
      const answer = await call(scene().signOn.url, DISCOVERY);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("set-cookie")).toBeNull();
    });

    it.each([
      "/.well-known/openid-configuration/",
      "/.well-known/jwks",
      "/.well-known/",
      "/.well-known/x",
      "/auth",
      "/auth/x",
    ])("has no neighbour at %s (R-D7)", async (path) => {
      const answer = await call(scene().signOn.url, path);
      expect(answer.status).toBe(404);
      expect(answer.json()).toEqual(oauthError(answer, "invalid_request"));
      expect(answer.headers.get("cache-control")).toBe("no-store");
    });

    it.each([DISCOVERY, JWKS])("is read only: %s", async (path) => {
      const answers = await Promise.all(
        ["POST", "PUT", "DELETE"].map((method) => call(scene().signOn.url, path, { method })),
      );
      expect(answers.map(({ status }) => status)).toEqual([405, 405, 405]);
      const head = await call(scene().signOn.url, path, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
    });
  },
);

describeSignOn("GET /.well-known/jwks.json (RFC 7517, R-S12)", (scene) => {
  const keysOf = async () => (await call(scene().signOn.url, JWKS)).json<{ keys: Key[] }>().keys;

  it("has one key of each algorithm, with public members only", async () => {
    const keys = await keysOf();
    expect(keys.map((key) => Object.keys(key).sort())).toEqual(
      keys.map(({ kty }) =>
        kty === "RSA" ? ["alg", "e", "kid", "kty", "n", "use"] : ["alg", "crv", "kid", "kty", "use", "x", "y"],
      ),
    );
    expect(keys.map(({ alg, use, kid }) => [alg, use, kid.slice(0, 6)]).sort()).toEqual([
      ["ES256", "sig", "es256-"],
      ["RS256", "sig", "rs256-"],
    ]);
  });

  it("has an RSA key of 2048 bits and an EC key on P-256", async () => {
    const details = (await keysOf()).map((jwk) => createPublicKey({ key: jwk, format: "jwk" }).asymmetricKeyDetails);
    expect(details).toEqual(
      expect.arrayContaining([{ modulusLength: 2048, publicExponent: 65_537n }, { namedCurve: "prime256v1" }]),
    );
  });

  it("verifies what we sign, with a library that is not ours", async () => {
    const { signOn, world } = scene();
    const set = createLocalJWKSet({ keys: (await keysOf()) as never });
    const tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
    const currentDate = signOn.clock.now();
    const issuer = signOn.issuer;
    const idToken = await jwtVerify(tokens.id_token, set, { issuer, audience: world.application.id, currentDate });
    const accessToken = await jwtVerify(tokens.access_token, set, {
      issuer,
      audience: issuer,
      typ: "at+jwt",
      currentDate,
    });
    expect([idToken.payload.sub, accessToken.payload.sub]).toEqual([world.personId, world.personId]);
    const spoilt = tokens.id_token.replace(/.$/, (letter) => (letter === "A" ? "Q" : "A"));
    await expect(jwtVerify(spoilt, set, { issuer, currentDate })).rejects.toThrow();
  });

  it("may be cached for as long as it says (R-S13, S30)", async () => {
    const answer = await call(scene().signOn.url, JWKS);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("answers 412 where If-Match names another document, before If-None-Match (R-X420, RFC 9110 §13.1.1)", async () => {
    const { url } = scene().signOn;
    const first = await call(url, JWKS);
    const tag = first.headers.get("etag") ?? "";
    const ask = (headers: Record<string, string>) => call(url, JWKS, { headers });
    const passed = await Promise.all([tag, `"other", ${tag}`, "*"].map((value) => ask({ "if-match": value })));
    expect(passed.map(({ status, text }) => [status, text])).toEqual(passed.map(() => [200, first.text]));
    const failed = await Promise.all([
      ...['"other"', `W/${tag}`].map((value) => ask({ "if-match": value })),
      ask({ "if-match": '"other"', "if-none-match": tag }),
    ]);
    expect(failed.map(({ status }) => status)).toEqual([412, 412, 412]);
    expect(failed[0]?.json()).toMatchObject({ error: "invalid_request" });
    expect((await ask({ "if-match": tag, "if-none-match": tag })).status).toBe(304);
  });

  it("answers 304 to a reader that has it, and may be kept for as long again (R-X101, RFC 9110 §13.1.2)", async () => {
    const { url } = scene().signOn;
    const first = await call(url, JWKS);
    const tag = first.headers.get("etag") ?? "";
    const again = await Promise.all(
      [tag, `"other", ${tag}`, `W/${tag}`, "*", '"other"', ""].map((value) =>
        call(url, JWKS, { headers: { "if-none-match": value } }),
      ),
    );
    expect(again.map(({ status }) => status)).toEqual([304, 304, 304, 304, 200, 200]);
    expect(again.map(({ text }) => text)).toEqual(["", "", "", "", first.text, first.text]);
    expect(new Set(again.map(({ headers }) => headers.get("etag")))).toEqual(new Set([tag]));
    expect(new Set(again.map(({ headers }) => headers.get("cache-control")))).toEqual(new Set(["public, max-age=300"]));
  });

  it("is not cached when it fails (S30)", async () => {
    const { signOn } = scene();
    signOn.clock.step(31_000);
    const answer = await signOn.withoutTable("sign_on_signing_keys", () => call(signOn.url, JWKS));
    expect(answer.status).toBe(500);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json()).toEqual(oauthError(answer, "server_error", "Something went wrong on our side."));
    expect(await keysOf()).toHaveLength(2);
  });

  it("goes on publishing a retiring key and drops a retired one; tokens of a retired key are refused (R-S13, S32)", async () => {
    const { signOn, world } = scene();
    const tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
    const read = async () => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await call(signOn.url, "/auth/userinfo", { headers })).status;
    };
    const become = async (state: string) => {
      await signOn.db.updateTable("sign_on_signing_keys").set({ state }).where("algorithm", "=", "ES256").execute();
      signOn.clock.step(31_000);
    };
    await become("retiring");
    const before = (await call(signOn.url, JWKS)).headers.get("etag");
    expect([await read(), (await keysOf()).length]).toEqual([200, 2]);
    await become("retired");
    expect((await call(signOn.url, JWKS)).headers.get("etag")).not.toBe(before);
    expect([await read(), (await keysOf()).length]).toEqual([401, 1]);
    await become("active");
    expect([await read(), (await keysOf()).length]).toEqual([200, 2]);
  });
});

describeSignOn(
  "discovery behind an https issuer (S36)",
  (scene) => {
    it("names the configured issuer, not the address that was called", async () => {
      const document = (await call(scene().signOn.url, DISCOVERY)).json<Configuration>();
      expect(document).toMatchObject({
        issuer: "https://sign-on.example:8443",
        authorization_endpoint: "https://sign-on.example:8443/auth/authorize",
        token_endpoint: "https://sign-on.example:8443/auth/token",
        userinfo_endpoint: "https://sign-on.example:8443/auth/userinfo",
        jwks_uri: "https://sign-on.example:8443/.well-known/jwks.json",
      });
      expect(JSON.stringify(document)).not.toMatch(/localhost|127\.0\.0\.1/);
    });
  },
  { issuer: "https://sign-on.example:8443" },
);
