import { createHash } from "node:crypto";
import { ApplicationKind } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { newPkce, obtainCode } from "../../../support/browser.ts";
import { type Answer, type CallInit, call, sendRaw } from "../../../support/http.ts";
import { REDIRECT_URI, type World } from "../../../support/world.ts";
import { describeSignOn, type Scene, withApplication, withPerson } from "../../sign-on-fixture.ts";

type Parameters = Readonly<Record<string, string>>;
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** The two bodies that the endpoint takes; everything must be the same with either (R-S1). */
const BODIES: readonly (readonly ["form" | "JSON", (parameters: Parameters) => CallInit])[] = [
  ["form", (form) => ({ form })],
  ["JSON", (json) => ({ json })],
];

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});
const inBody = ({ application }: World): Parameters => ({
  client_id: application.id,
  ...(application.secret === "" ? {} : { client_secret: application.secret }),
});
const codeGrant = (code: string): Parameters => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: REDIRECT_URI,
});
const refreshGrant = (refresh_token: string): Parameters => ({ grant_type: "refresh_token", refresh_token });
const hexDigest = (text: string) => createHash("sha256").update(text).digest("hex");
const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString()) as Record<string, unknown>;
const challengeOf = (verifier: string) => ({
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
});
const userinfo = ({ signOn }: Scene, { access_token }: Tokens) =>
  call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } });

/** What every answer of the endpoint has (RFC 6749 §5.1, S30). */
function expectAnswer(answer: Answer, status: number) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="sign-on", charset="UTF-8"' : null);
}
function expectRefusal(answer: Answer, status: number, error: string) {
  expectAnswer(answer, status);
  expect(answer.json()).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/),
  });
}

describe.each(BODIES)("POST /auth/token with a %s body (R-S1)", (_, bodyOf) => {
  describeSignOn("redeeming a code (spec §4.1, RFC 6749 §4.1.3)", (scene) => {
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) => {
      const init = bodyOf(parameters);
      return call(scene().signOn.url, "/auth/token", { ...init, headers: { ...init.headers, ...headers } });
    };
    const obtain = (parameters?: Readonly<Record<string, string | undefined>>, world = scene().world) =>
      obtainCode(scene().signOn.url, world, parameters);

    it("answers with the tokens of the granted scopes, the secret in the body", async () => {
      const { signOn, world } = scene();
      const answer = await send({ ...codeGrant(await obtain({ scope: "email openid" })), ...inBody(world) });
      expectAnswer(answer, 200);
      expect(answer.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: expect.stringMatching(/^ghr_[\w-]{43}$/),
        id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        scope: "openid email",
      });
      expect(signOn.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    });

    it("takes the secret by HTTP Basic, with or without client_id in the body (R-S2)", async () => {
      const { application } = scene().world;
      const header = basic(application.id, application.secret);
      expectAnswer(await send(codeGrant(await obtain()), header), 200);
      expectAnswer(await send({ ...codeGrant(await obtain()), client_id: application.id }, header), 200);
    });

    it("form-decodes the parts of HTTP Basic (RFC 6749 §2.3.1)", async () => {
      const { application } = scene().world;
      const escaped = `${application.id.replace("_", "%5F")}:${application.secret.replace("ghs_", "%67hs%5f")}`;
      const authorization = `Basic ${Buffer.from(escaped).toString("base64")}`;
      expectAnswer(await send(codeGrant(await obtain()), { authorization }), 200);
    });

    it("gives no ID token without openid, and a refresh token with or without offline_access (R-S8)", async () => {
      const { world } = scene();
      const without = await send({ ...codeGrant(await obtain({ scope: "profile" })), ...inBody(world) });
      const answer = await send({ ...codeGrant(await obtain({ scope: "openid offline_access" })), ...inBody(world) });
      expect(without.json()).toEqual(expect.not.objectContaining({ id_token: expect.anything() }));
      expect(without.json()).toMatchObject({ refresh_token: expect.any(String), scope: "profile" });
      expect(answer.json()).toMatchObject({ refresh_token: expect.any(String), scope: "openid offline_access" });
    });

    it("ignores what it does not know, and treats empty as absent (RFC 6749 §3.2)", async () => {
      const { world } = scene();
      const more = { extra: "foobar", resource: "https://api.example", scope: "", code_verifier: "", assertion: "" };
      expectAnswer(await send({ ...codeGrant(await obtain()), ...inBody(world), ...more }), 200);
      const header = basic(world.application.id, world.application.secret);
      expectAnswer(await send({ ...codeGrant(await obtain()), client_id: "", client_secret: "" }, header), 200);
    });

    it("answers JSON whatever Accept asks for", async () => {
      const { world } = scene();
      const headers = { accept: "text/html, application/xml;q=0.9" };
      expectAnswer(await send({ ...codeGrant(await obtain()), ...inBody(world) }, headers), 200);
      expectRefusal(await send({ ...codeGrant("x"), ...inBody(world) }, headers), 400, "invalid_grant");
    });

    /** What an attempt is made of: the code and the application's own id and secret. */
    interface Given {
      readonly code: string;
      readonly id: string;
      readonly secret: string;
    }
    /** What differs from the right request; `undefined` leaves a parameter out. A header replaces the credentials in the body. */
    type Change = (given: Given) => Readonly<Record<string, string | undefined>>;
    type Row = readonly [
      title: string,
      answer: `${number} ${string}`,
      change: Change,
      header?: (given: Given) => string,
    ];

    const UNKNOWN = "app_AAAAAAAAAAAAAAAAAAAAA";
    const NOBODY = { client_id: undefined, client_secret: undefined };
    const bare = () => NOBODY;
    const header = (id: string, secret: string) => basic(id, secret).authorization;

    const rows: readonly Row[] = [
      // The grant (§5.2)
      ["no grant type", "400 invalid_request", () => ({ grant_type: undefined })],
      ["an empty grant type", "400 invalid_request", () => ({ grant_type: "" })],
      ["a grant type in another case", "400 unsupported_grant_type", () => ({ grant_type: "Authorization_Code" })],
      ["the password grant", "400 unsupported_grant_type", () => ({ grant_type: "password", password: "x" })],
      ["the client credentials grant", "400 unsupported_grant_type", () => ({ grant_type: "client_credentials" })],
      ["a grant by extension", "400 unsupported_grant_type", () => ({ grant_type: "urn:ietf:params:oauth:x" })],
      ["a grant like a member of objects", "400 unsupported_grant_type", () => ({ grant_type: "__proto__" })],
      ["no code", "400 invalid_request", () => ({ code: undefined })],
      ["an empty code", "400 invalid_request", () => ({ code: "" })],
      ["no redirect_uri", "400 invalid_request", () => ({ redirect_uri: undefined })],
      ["an empty redirect_uri", "400 invalid_request", () => ({ redirect_uri: "" })],
      // The application in the body (R-S2)
      ["no application", "400 invalid_request", () => ({ ...NOBODY })],
      ["no client_id", "400 invalid_request", () => ({ client_id: undefined })],
      ["an unknown application", "400 invalid_client", () => ({ client_id: UNKNOWN })],
      ["no secret", "400 invalid_client", () => ({ client_secret: undefined })],
      ["an empty secret", "400 invalid_client", () => ({ client_secret: "" })],
      ["a wrong secret", "400 invalid_client", ({ secret }) => ({ client_secret: `${secret}x` })],
      ["a part of the secret", "400 invalid_client", ({ secret }) => ({ client_secret: secret.slice(0, -1) })],
      ["the secret in another case", "400 invalid_client", ({ secret }) => ({ client_secret: secret.toUpperCase() })],
      ["the secret's digest", "400 invalid_client", ({ secret }) => ({ client_secret: hexDigest(secret) })],
      ["another spelling of the id", "400 invalid_client", ({ id }) => ({ client_id: ` ${id}` })],
      ["a person's id", "400 invalid_client", () => ({ client_id: "person_AAAAAAAAAAAAAAAAAAAAA" })],
      // The application in the header: 401 (R-S3)
      ["an unknown application by Basic", "401 invalid_client", bare, () => header(UNKNOWN, "x")],
      ["a wrong secret by Basic", "401 invalid_client", bare, ({ id }) => header(id, "x")],
      ["an empty secret by Basic", "401 invalid_client", bare, ({ id }) => header(id, "")],
      ["an id with NUL by Basic", "401 invalid_client", bare, () => header("app_\u0000", "x")],
      ["a hostile id by Basic", "401 invalid_client", bare, () => header("' or '1'='1", "x")],
      ["no base64 by Basic", "401 invalid_client", bare, () => "Basic !"],
      ["Bearer instead of Basic", "401 invalid_client", bare, () => "Bearer x"],
      ["an empty Authorization header", "401 invalid_client", bare, () => ""],
      // Both
      ["the secret twice", "400 invalid_request", () => ({}), ({ id, secret }) => header(id, secret)],
      ["a wrong secret besides the right one", "400 invalid_request", () => ({}), ({ id }) => header(id, "x")],
      [
        "another client_id than in the header",
        "400 invalid_request",
        () => ({ client_id: UNKNOWN, client_secret: undefined }),
        ({ id, secret }) => header(id, secret),
      ],
      // The bindings of the code, each alone (S21)
      ["an unknown code", "400 invalid_grant", () => ({ code: "A".repeat(43) })],
      ["a code cut short", "400 invalid_grant", ({ code }) => ({ code: code.slice(0, -1) })],
      ["a code with a space", "400 invalid_grant", ({ code }) => ({ code: `${code} ` })],
      ["a code with padding", "400 invalid_grant", ({ code }) => ({ code: `${code}=` })],
      ["a code of 20 kB", "400 invalid_grant", () => ({ code: "A".repeat(20_000) })],
      ["another redirect_uri", "400 invalid_grant", () => ({ redirect_uri: "https://evil.example/" })],
      ["the redirect_uri with a slash", "400 invalid_grant", () => ({ redirect_uri: `${REDIRECT_URI}/` })],
      ["the redirect_uri in capitals", "400 invalid_grant", () => ({ redirect_uri: REDIRECT_URI.toUpperCase() })],
      [
        "the redirect_uri with a query",
        "400 invalid_grant",
        ({ code }) => ({ redirect_uri: `${REDIRECT_URI}?code=${code}` }),
      ],
      ["a verifier without a challenge (S22)", "400 invalid_grant", () => ({ code_verifier: newPkce().verifier })],
    ];

    it.each(rows.map(([title, answer, ...rest]) => [title, answer, rest] as const))(
      "refuses %s: %s; the code is still good (R-S1)",
      async (_, expected, [change, header]) => {
        const { world } = scene();
        const code = await obtain();
        const right: Parameters = { ...codeGrant(code), ...inBody(world) };
        const given = { code, ...world.application };
        const changed = Object.entries({ ...right, ...change(given) }).filter(([, value]) => value !== undefined);
        const [status, error = ""] = expected.split(" ");
        const headers = header === undefined ? {} : { authorization: header(given) };
        expectRefusal(await send(Object.fromEntries(changed) as Parameters, headers), Number(status), error);
        expectAnswer(await send(right), 200);
      },
    );

    it("has one sentence for every failed authentication (S29)", async () => {
      const { application } = scene().world;
      const answers = [
        await send({ ...codeGrant("x"), client_id: "app_AAAAAAAAAAAAAAAAAAAAA", client_secret: "x" }),
        await send({ ...codeGrant("x"), client_id: application.id, client_secret: "x" }),
        await send({ ...codeGrant("x"), client_id: application.id }),
        await send(codeGrant("x"), basic("app_AAAAAAAAAAAAAAAAAAAAA", "x")),
        await send(codeGrant("x"), basic(application.id, "x")),
        await send(codeGrant("x"), { authorization: "Basic !" }),
      ];
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    });

    it("is for the application that asked: another one gets nothing, spends nothing and ends nothing (S21, RFC 9700 §4.5)", async () => {
      const { world } = scene();
      const other = await withApplication(scene().signOn, world);
      const code = await obtain();
      expectRefusal(await send({ ...codeGrant(code), ...inBody(other) }), 400, "invalid_grant");
      const answer = await send({ ...codeGrant(code), ...inBody(world) });
      expectAnswer(answer, 200);
      expectRefusal(await send({ ...codeGrant(code), ...inBody(other) }), 400, "invalid_grant");
      expect((await userinfo(scene(), answer.json())).status).toBe(200);
    });

    it("is good for ten minutes, not a millisecond longer (spec §8, R-S9)", async () => {
      const { signOn, world } = scene();
      const early = await obtain();
      const late = await obtain();
      signOn.clock.step(600_000 - 1);
      expectAnswer(await send({ ...codeGrant(early), ...inBody(world) }), 200);
      signOn.clock.step(1);
      expectRefusal(await send({ ...codeGrant(late), ...inBody(world) }), 400, "invalid_grant");
      signOn.clock.step(-600_000);
      expectAnswer(await send({ ...codeGrant(late), ...inBody(world) }), 200);
    });

    it("is good as long as the application was registered with", async () => {
      const { signOn, world } = scene();
      const lifetimes = { authorizationCodeSeconds: 30, accessTokenSeconds: 90, idTokenSeconds: 120 };
      const short = await withApplication(signOn, world, { lifetimes });
      const early = await obtain({}, short);
      const late = await obtain({}, short);
      signOn.clock.step(30_000 - 1);
      const tokens = (await send({ ...codeGrant(early), ...inBody(short) })).json<Required<Tokens>>();
      signOn.clock.step(1);
      expectRefusal(await send({ ...codeGrant(late), ...inBody(short) }), 400, "invalid_grant");
      const lives = [tokens.access_token, tokens.id_token].map((token) => {
        const { iat, exp } = partOf(token, 1);
        return Number(exp) - Number(iat);
      });
      expect([tokens.expires_in, ...lives]).toEqual([90, 90, 120]);
    });

    it("is good once; a replay ends what came from it, at once (R-S11, S23)", async () => {
      const { world } = scene();
      const code = await obtain();
      const tokens = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      expect((await userinfo(scene(), tokens)).status).toBe(200);
      expectRefusal(await send({ ...codeGrant(code), ...inBody(world) }), 400, "invalid_grant");
      expect((await userinfo(scene(), tokens)).status).toBe(401);
      expectRefusal(await send({ ...refreshGrant(tokens.refresh_token), ...inBody(world) }), 400, "invalid_grant");
    });

    it("ends what came from it also when the replay is late, wrong in other ways, or after a refresh (S23)", async () => {
      const { signOn, world } = scene();
      const code = await obtain();
      const first = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      const second = (await send({ ...refreshGrant(first.refresh_token), ...inBody(world) })).json<Tokens>();
      signOn.clock.step(900_000);
      const replay = {
        ...codeGrant(code),
        redirect_uri: "https://evil.example/",
        code_verifier: "x",
        ...inBody(world),
      };
      expectRefusal(await send(replay), 400, "invalid_grant");
      expect((await userinfo(scene(), second)).status).toBe(401);
      expectRefusal(await send({ ...refreshGrant(second.refresh_token), ...inBody(world) }), 400, "invalid_grant");
    });

    it("ends only what came from it: another sign-in of the same person goes on", async () => {
      const { world } = scene();
      const code = await obtain();
      const other = (await send({ ...codeGrant(await obtain()), ...inBody(world) })).json<Tokens>();
      await send({ ...codeGrant(code), ...inBody(world) });
      await send({ ...codeGrant(code), ...inBody(world) });
      expect((await userinfo(scene(), other)).status).toBe(200);
    });

    it("is not replayed by somebody who cannot authenticate", async () => {
      const { world } = scene();
      const code = await obtain();
      const tokens = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      const { application } = world;
      expectRefusal(
        await send({ ...codeGrant(code), client_id: application.id, client_secret: "x" }),
        400,
        "invalid_client",
      );
      expectRefusal(await send({ ...codeGrant(code), client_id: application.id }), 400, "invalid_client");
      expect((await userinfo(scene(), tokens)).status).toBe(200);
    });

    it("is refused when the person lost the seat or was disabled since; the code is not spent (R-S7)", async () => {
      const { signOn, world } = scene();
      const lost = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const code = await obtain({}, lost);
      await signOn.platform.deleteUser({ requestId: "", userId: lost.userId });
      expectRefusal(await send({ ...codeGrant(code), ...inBody(world) }), 400, "invalid_grant");
      const disabled = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const other = await obtain({}, disabled);
      await signOn.disablePerson(disabled.personId);
      expectRefusal(await send({ ...codeGrant(other), ...inBody(world) }), 400, "invalid_grant");
    });

    it("says who signed in, when, and for whom, in an ID token (spec §2.7)", async () => {
      const { signOn, world } = scene();
      const code = await obtain({ scope: "openid profile email", nonce: "n-0S6" });
      signOn.clock.step(7_000);
      const answer = await send({ ...codeGrant(code), ...inBody(world) });
      const { id_token = "", access_token } = answer.json<Tokens>();
      const iat = Math.floor(signOn.clock.now().getTime() / 1000);
      expect(partOf(id_token, 0)).toEqual({ alg: "RS256", typ: "JWT", kid: expect.stringMatching(/^rs256-/) });
      expect(partOf(id_token, 1)).toEqual({
        iss: signOn.issuer,
        sub: world.personId,
        aud: world.application.id,
        iat,
        exp: iat + 3_600,
        auth_time: iat - 7,
        nonce: "n-0S6",
        at_hash: createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url"),
        name: "Maren Dahl",
        firstName: "Maren",
        lastName: "Dahl",
        given_name: "Maren",
        family_name: "Dahl",
        email: world.email,
        email_verified: true,
        workerProfileId: expect.stringMatching(/^profile_/),
        userIds: [{ id: world.userId, clientId: world.tenantId }],
        workerIds: [],
        lastLoginContext: { userType: "USER", clientId: world.tenantId },
      });
    });

    it("says nothing of the person in an access token but the subject (RFC 9068, R-S12)", async () => {
      const { signOn, world } = scene();
      const answer = await send({ ...codeGrant(await obtain({ scope: "openid profile email" })), ...inBody(world) });
      const { access_token } = answer.json<Tokens>();
      const iat = Math.floor(signOn.clock.now().getTime() / 1000);
      expect(partOf(access_token, 0)).toEqual({ alg: "ES256", typ: "at+jwt", kid: expect.stringMatching(/^es256-/) });
      expect(partOf(access_token, 1)).toEqual({
        iss: signOn.issuer,
        sub: world.personId,
        aud: signOn.issuer,
        client_id: world.application.id,
        scope: "openid profile email",
        iat,
        exp: iat + 3_600,
        jti: expect.stringMatching(/^[A-Za-z0-9]{22}\.[\w-]{16}$/),
      });
    });
  });

  describeSignOn("PKCE at the token endpoint (RFC 7636 §4.5, R-S16, S22)", (scene) => {
    const send = (parameters: Parameters) => call(scene().signOn.url, "/auth/token", bodyOf(parameters));
    const { verifier } = newPkce();
    /** RFC 7636 appendix B. */
    const RFC_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const full = `${"-._~".repeat(31)}Az09`;

    async function redeemWith(code_verifier: string | undefined, challenged = verifier, application?: World) {
      const world = application ?? scene().world;
      const code = await obtainCode(scene().signOn.url, world, challengeOf(challenged));
      const right = { ...codeGrant(code), ...inBody(world) };
      const tried = await send(code_verifier === undefined ? right : { ...right, code_verifier });
      return { tried, again: () => send({ ...right, code_verifier: challenged }) };
    }

    it.each([verifier, RFC_VERIFIER, full, "~".repeat(43)])("takes the verifier %s", async (challenged) => {
      expectAnswer((await redeemWith(challenged, challenged)).tried, 200);
    });

    it.each<[string, string | undefined]>([
      ["missing", undefined],
      ["empty", ""],
      ["another one", newPkce().verifier],
      ["the challenge (plain)", challengeOf(verifier).code_challenge],
      ["in another case", verifier.toUpperCase()],
      ["42 characters", verifier.slice(1)],
      ["129 characters", "a".repeat(129)],
      ["with a space", `${verifier} `],
      ["with padding", `${verifier}=`],
      ["with a plus sign", `${verifier.slice(1)}+`],
      ["beyond ASCII", `${verifier.slice(1)}é`],
    ])(
      "refuses a verifier that is %s, for a confidential application too; the code is still good",
      async (_, given) => {
        const { tried, again } = await redeemWith(given);
        expectRefusal(tried, 400, "invalid_grant");
        expectAnswer(await again(), 200);
      },
    );

    it("is what a public application has instead of a secret (R-S2)", async () => {
      const { signOn, world } = scene();
      const open = await withApplication(signOn, world, { kind: ApplicationKind.APPLICATION_KIND_NATIVE });
      expect(open.application.secret).toBe("");
      expectAnswer((await redeemWith(verifier, verifier, open)).tried, 200);
      const { tried, again } = await redeemWith(undefined, verifier, open);
      expectRefusal(tried, 400, "invalid_grant");
      expectAnswer(await again(), 200);
    });

    it("goes without any secret for a public application: sending one is refused (S29)", async () => {
      const { signOn, world } = scene();
      const open = await withApplication(signOn, world, { kind: ApplicationKind.APPLICATION_KIND_BROWSER });
      const code = await obtainCode(signOn.url, open, challengeOf(verifier));
      const right = { ...codeGrant(code), code_verifier: verifier, client_id: open.application.id };
      expectRefusal(await send({ ...right, client_secret: "x" }), 400, "invalid_client");
      expectRefusal(await send({ ...right, client_secret: world.application.secret }), 400, "invalid_client");
      const init = bodyOf({ ...codeGrant(code), code_verifier: verifier });
      const header = await call(signOn.url, "/auth/token", { ...init, headers: basic(open.application.id, "x") });
      expectRefusal(header, 401, "invalid_client");
      expectAnswer(await send({ ...right, client_secret: "" }), 200);
    });
  });

  describeSignOn("using a refresh token (RFC 6749 §6, R-S10)", (scene) => {
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
      call(scene().signOn.url, "/auth/token", { ...bodyOf(parameters), headers });
    async function signedIn(application?: World, parameters?: Parameters) {
      const world = application ?? scene().world;
      const code = await obtainCode(scene().signOn.url, world, parameters);
      const tokens = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      const refresh = (token: string, more: Parameters = {}) =>
        send({ ...refreshGrant(token), ...inBody(world), ...more });
      return { world, tokens, refresh };
    }

    it("answers with a new access token and a new refresh token, never an ID token", async () => {
      const { world, tokens, refresh } = await signedIn();
      const answer = await refresh(tokens.refresh_token);
      expectAnswer(answer, 200);
      const next = answer.json<Tokens>();
      expect(next).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: expect.stringMatching(/^ghr_[\w-]{43}$/),
        scope: "openid profile email",
      });
      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      expect(partOf(next.access_token, 1).jti).not.toBe(partOf(tokens.access_token, 1).jti);
      expect((await userinfo(scene(), next)).status).toBe(200);
      expect((await userinfo(scene(), tokens)).status).toBe(200);
      expectAnswer(
        await send(refreshGrant(next.refresh_token), basic(world.application.id, world.application.secret)),
        200,
      );
    });

    it("may narrow the scopes and never widens them (S26)", async () => {
      const { tokens, refresh } = await signedIn(undefined, { scope: "openid email" });
      const narrow = (await refresh(tokens.refresh_token, { scope: "email" })).json<Tokens>();
      expect([narrow.scope, partOf(narrow.access_token, 1).scope]).toEqual(["email", "email"]);
      expect((await userinfo(scene(), narrow)).status).toBe(403);
      expectRefusal(await refresh(narrow.refresh_token, { scope: "openid email profile" }), 400, "invalid_scope");
      expectRefusal(await refresh(narrow.refresh_token, { scope: "openid  email" }), 400, "invalid_scope");
      expectRefusal(await refresh(narrow.refresh_token, { scope: "admin" }), 400, "invalid_scope");
      const whole = (await refresh(narrow.refresh_token)).json<Tokens>();
      expect(whole.scope).toBe("openid email");
      const same = (await refresh(whole.refresh_token, { scope: "email openid" })).json<Tokens>();
      expect(same.scope).toBe("openid email");
      expect((await refresh(same.refresh_token, { scope: "" })).json<Tokens>().scope).toBe("openid email");
    });

    it("takes a refresh token once: a second use is theft and ends the family, and only that (S24, RFC 9700 §4.14.2)", async () => {
      const { tokens, refresh } = await signedIn();
      const other = await signedIn();
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expectRefusal(await refresh(next.refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), tokens)).status).toBe(401);
      expect((await userinfo(scene(), next)).status).toBe(401);
      expect((await userinfo(scene(), other.tokens)).status).toBe(200);
      expectAnswer(await other.refresh(other.tokens.refresh_token), 200);
    });

    it("takes an old refresh token for theft as long as the family lives, also after days", async () => {
      const { tokens, refresh } = await signedIn();
      let latest = tokens;
      for (let day = 0; day < 3; day++) {
        scene().signOn.clock.step(86_400_000);
        latest = (await refresh(latest.refresh_token)).json<Tokens>();
      }
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expectRefusal(await refresh(latest.refresh_token), 400, "invalid_grant");
    });

    it("works only for its own application: another one's attempt changes nothing (S26)", async () => {
      const { world, tokens, refresh } = await signedIn();
      const other = await withApplication(scene().signOn, world);
      const stolen = () => send({ ...refreshGrant(tokens.refresh_token), ...inBody(other) });
      expectRefusal(await stolen(), 400, "invalid_grant");
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRefusal(await stolen(), 400, "invalid_grant");
      expectAnswer(await refresh(next.refresh_token), 200);
    });

    it("is not spent by a failed authentication", async () => {
      const { world, tokens, refresh } = await signedIn();
      const { id } = world.application;
      expectRefusal(await send({ ...refreshGrant(tokens.refresh_token), client_id: id }), 400, "invalid_client");
      expectRefusal(
        await send({ ...refreshGrant(tokens.refresh_token), client_id: id, client_secret: "x" }),
        400,
        "invalid_client",
      );
      expectRefusal(await send(refreshGrant(tokens.refresh_token), basic(id, "x")), 401, "invalid_client");
      expectRefusal(await send(refreshGrant(tokens.refresh_token)), 400, "invalid_request");
      expectAnswer(await refresh(tokens.refresh_token), 200);
    });

    it.each<[string, string, (tokens: Tokens) => Parameters]>([
      ["no token", "invalid_request", () => ({ grant_type: "refresh_token" })],
      ["an empty token", "invalid_request", () => refreshGrant("")],
      ["an unknown token", "invalid_grant", () => refreshGrant(`ghr_${"A".repeat(43)}`)],
      ["a token without its prefix", "invalid_grant", ({ refresh_token }) => refreshGrant(refresh_token.slice(4))],
      ["a token with a space", "invalid_grant", ({ refresh_token }) => refreshGrant(`${refresh_token} `)],
      ["a token cut short", "invalid_grant", ({ refresh_token }) => refreshGrant(refresh_token.slice(0, -1))],
      ["an access token", "invalid_grant", ({ access_token }) => refreshGrant(access_token)],
      ["an ID token", "invalid_grant", ({ id_token = "" }) => refreshGrant(id_token)],
      ["the refresh token as a code", "invalid_grant", ({ refresh_token }) => codeGrant(refresh_token)],
    ])("refuses %s: %s", async (_, error, parametersOf) => {
      const { world, tokens, refresh } = await signedIn();
      expectRefusal(await send({ ...parametersOf(tokens), ...inBody(world) }), 400, error);
      expectAnswer(await refresh(tokens.refresh_token), 200);
    });

    it("takes no code for a refresh token", async () => {
      const { signOn, world } = scene();
      const code = await obtainCode(signOn.url, world);
      expectRefusal(await send({ ...refreshGrant(code), ...inBody(world) }), 400, "invalid_grant");
      expectAnswer(await send({ ...codeGrant(code), ...inBody(world) }), 200);
    });

    it("is good for thirty days without use, and the family for 180 (R-S9)", async () => {
      const { clock } = scene().signOn;
      const idle = await signedIn();
      const used = await signedIn();
      clock.step(30 * 86_400_000 - 1);
      let latest = (await used.refresh(used.tokens.refresh_token)).json<Tokens>();
      clock.step(1);
      expectRefusal(await idle.refresh(idle.tokens.refresh_token), 400, "invalid_grant");
      for (let month = 2; month < 7; month++) {
        clock.step(29 * 86_400_000);
        latest = (await used.refresh(latest.refresh_token)).json<Tokens>();
      }
      clock.step(5 * 86_400_000 - 1);
      const last = await used.refresh(latest.refresh_token);
      expectAnswer(last, 200);
      clock.step(1);
      expectRefusal(await used.refresh(last.json<Tokens>().refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), last.json())).status).toBe(401);
    });

    it("promises no access token beyond the end of the family (S26)", async () => {
      const { signOn, world } = scene();
      const lifetimes = { refreshTokenAbsoluteSeconds: 100, accessTokenSeconds: 3_600 };
      const { tokens, refresh } = await signedIn(await withApplication(signOn, world, { lifetimes }));
      signOn.clock.step(60_000);
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      const ends = [tokens, next].map(({ access_token }) => partOf(access_token, 1).exp);
      expect([tokens.expires_in, next.expires_in]).toEqual([100, 40]);
      expect(new Set(ends).size).toBe(1);
      signOn.clock.step(39_000);
      expect((await userinfo(scene(), next)).status).toBe(200);
      signOn.clock.step(1_000);
      expect((await userinfo(scene(), next)).status).toBe(401);
    });

    it("is refused when the person lost the seat or was disabled since (R-S7, S19)", async () => {
      const { signOn, world } = scene();
      const lost = await signedIn(await withPerson(signOn, world, `${Math.random()}@harbour.example`));
      await signOn.platform.deleteUser({ requestId: "", userId: lost.world.userId });
      expectRefusal(await lost.refresh(lost.tokens.refresh_token), 400, "invalid_grant");
      const disabled = await signedIn(await withPerson(signOn, world, `${Math.random()}@harbour.example`));
      await signOn.disablePerson(disabled.world.personId);
      expectRefusal(await disabled.refresh(disabled.tokens.refresh_token), 400, "invalid_grant");
    });

    it("ends when the person's password is set anew (R-S20)", async () => {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const { tokens, refresh } = await signedIn(person);
      await signOn.signOn.setPassword({ personId: person.personId, password: "another horse, another battery" });
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), tokens)).status).toBe(401);
    });
  });
});

describeSignOn("POST /auth/token: bodies that are none (R-S1, S14, S40)", (scene) => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const json = { "content-type": "application/json" };
  async function expectInvalid(init: CallInit) {
    expectRefusal(await call(scene().signOn.url, "/auth/token", { method: "POST", ...init }), 400, "invalid_request");
  }

  it.each<[string, CallInit]>([
    ["text/plain", { body: "{}", headers: { "content-type": "text/plain" } }],
    ["multipart", { body: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }],
    ["application/jwt", { body: "x", headers: { "content-type": "application/jwt" } }],
    ["application/json5", { body: "{}", headers: { "content-type": "application/json5" } }],
    ["application/problem+json", { body: "{}", headers: { "content-type": "application/problem+json" } }],
    ["text/json", { body: "{}", headers: { "content-type": "text/json" } }],
    ["*/*", { body: "{}", headers: { "content-type": "*/*" } }],
    ["nothing", { body: "{}" }],
    ["nonsense", { body: "{}", headers: { "content-type": "nonsense" } }],
    ["two types", { body: "{}", headers: { "content-type": "application/json, text/plain" } }],
    ["no body", {}],
  ])("refuses the media type %s", async (_, init) => {
    await expectInvalid(init);
  });

  it.each([
    "",
    " ",
    "{",
    "null",
    "true",
    "1",
    '"grant_type=authorization_code"',
    "[]",
    '[{"grant_type":"refresh_token"}]',
    '{"grant_type":"refresh_token",}',
    "{'grant_type':'refresh_token'}",
    '{"grant_type":"refresh_token"} x',
    '{"grant_type":"refresh_token"}{"grant_type":"refresh_token"}',
    '{"grant_type":null}',
    '{"grant_type":1}',
    '{"grant_type":["authorization_code"]}',
    '{"grant_type":{"toString":"x"}}',
    '{"grant_type":"refresh_token","refresh_token":1}',
    '{"grant_type":"refresh_token","refresh_token":["x"]}',
    '{"grant_type":"refresh_token","refresh_token":{"x":"y"}}',
    '{"grant_type":"refresh_token","refresh_token":null}',
    '{"grant_type":"refresh_token","refresh_token":"x","client_id":["x"]}',
    '{"grant_type":"refresh_token","refresh_token":"x","scope":["openid"]}',
    '{"grant_type":"refresh_token","refresh_token":"x","extra":1}',
    '{"grant_type":"refresh_token","refresh_token":"x","extra":{"a":"b"}}',
    '{"grant_type":"authorization_code","code":true,"redirect_uri":"x"}',
    // Twice: alike, unlike, spelt in another way, the first or the last right
    '{"grant_type":"refresh_token","grant_type":"refresh_token","refresh_token":"x"}',
    '{"grant_type":"refresh_token","refresh_token":"x","refresh_token":"y"}',
    '{"grant_type":"refresh_token","refresh_token":"x","refresh\\u005ftoken":"y"}',
    '{"grant_type":"refresh_token","refresh_token":"x","extra":"1","extra":"1"}',
    '{"grant_type":"refresh_token","refresh_token":"x","":"1","":"1"}',
    '{"grant_type":"refresh_token","refresh_token":"x","__proto__":"1","__proto__":"1"}',
    // Text that no store holds
    '{"grant_type":"refresh_token","refresh_token":"x","client_id":"app_\\u0000"}',
    '{"grant_type":"refresh_token","refresh_token":"x","client_id":"\\ud800"}',
    `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
    `{"grant_type":${'{"a":'.repeat(8_000)}1${"}".repeat(8_000)}}`,
  ])("refuses the JSON %#", async (body) => {
    await expectInvalid({ body, headers: json });
  });

  it.each([
    "",
    "grant_type",
    "grant_type=refresh_token&grant_type=refresh_token&refresh_token=x",
    "grant_type=refresh_token&refresh_token=x&refresh_token=y",
    "grant_type=refresh_token&refresh_token=x&refresh%5Ftoken=y",
    "grant_type=refresh_token&refresh_token=x&extra=1&extra=1",
    "grant_type=refresh_token&refresh_token=x&client_id=a&client_id=a",
    "grant_type=refresh_token&refresh_token=x&a&a",
    "grant_type=refresh_token&refresh_token[]=x",
    "grant_type[]=refresh_token&refresh_token=x",
    "grant_type=refresh_token&refresh_token=%zz",
    "grant_type=refresh_token&refresh_token=%",
    "grant_type=refresh_token&refresh_token=%ff",
    "grant_type=refresh_token&refresh_token=%ed%a0%80",
    "grant_type=refresh_token&refresh_token=x&client_id=%00",
    '{"grant_type":"refresh_token","refresh_token":"x"}',
  ])("refuses the form %j", async (body) => {
    await expectInvalid({ body, headers: form });
  });

  it("refuses bytes that are no UTF-8, in either", async () => {
    await expectInvalid({ body: Buffer.from('{"grant_type":"\xff"}', "latin1"), headers: json });
    await expectInvalid({ body: Buffer.from("grant_type=\xff", "latin1"), headers: form });
  });

  it.each([
    ["application/json; charset=utf-8", (parameters: Parameters) => JSON.stringify(parameters)],
    ["APPLICATION/JSON", (parameters: Parameters) => JSON.stringify(parameters)],
    [
      "application/x-www-form-urlencoded;charset=UTF-8",
      (parameters: Parameters) => String(new URLSearchParams(parameters)),
    ],
  ])("takes the media type %s", async (type, write) => {
    const { signOn, world } = scene();
    const body = write({ ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) });
    expectAnswer(await call(signOn.url, "/auth/token", { body, headers: { "content-type": type } }), 200);
  });

  it("does not let a member of every object's prototype in", async () => {
    const { signOn, world } = scene();
    const parameters = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const body = `{"__proto__":"x","constructor":"x",${JSON.stringify(parameters).slice(1)}`;
    expectAnswer(await call(signOn.url, "/auth/token", { body, headers: json }), 200);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("refuses credentials in the query string, and does not log them (S31)", async () => {
    const { signOn, world } = scene();
    const parameters = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const query = new URLSearchParams(parameters);
    await expectInvalid({ form: {} });
    expectRefusal(await call(signOn.url, `/auth/token?${query}`, { form: {} }), 400, "invalid_request");
    expectRefusal(await call(signOn.url, `/auth/token?${query}`, { json: {} }), 400, "invalid_request");
    const secret = new URLSearchParams({ client_secret: world.application.secret });
    expectRefusal(await call(signOn.url, `/auth/token?${secret}`, { form: parameters }), 400, "invalid_request");
    expect(JSON.stringify(signOn.log.lines)).not.toContain(world.application.secret);
    expect(JSON.stringify(signOn.log.lines)).not.toContain(parameters.code);
    expectAnswer(await call(signOn.url, "/auth/token?utm_source=x", { form: parameters }), 200);
  });

  it("refuses two Authorization headers (R-S2)", async () => {
    const { signOn, world } = scene();
    const body = String(new URLSearchParams(codeGrant(await obtainCode(signOn.url, world))));
    const { authorization } = basic(world.application.id, world.application.secret);
    const request = (...headers: string[]) =>
      [
        "POST /auth/token HTTP/1.1",
        "host: localhost",
        "connection: close",
        "content-type: application/x-www-form-urlencoded",
        `content-length: ${body.length}`,
        ...headers.map((header) => `authorization: ${header}`),
        "",
        body,
      ].join("\r\n");
    const twice = await sendRaw(signOn.url, request(authorization, authorization), { end: false });
    const different = await sendRaw(signOn.url, request(authorization, "Bearer x"), { end: false });
    expectRefusal(twice.answers[0] as Answer, 400, "invalid_request");
    expectRefusal(different.answers[0] as Answer, 400, "invalid_request");
    const once = await sendRaw(signOn.url, request(authorization), { end: false });
    expectAnswer(once.answers[0] as Answer, 200);
  });

  it.each(["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])("is POST only, not %s (S31)", async (method) => {
    const answer = await call(scene().signOn.url, "/auth/token", { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  it("refuses a body of more than 64 kB", async () => {
    const answer = await call(scene().signOn.url, "/auth/token", { form: { grant_type: "a".repeat(65_536) } });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ error: "invalid_request" });
  });

  it("tells nothing of what was sent", async () => {
    const { signOn } = scene();
    const hostile = '<script>canary</script>"\\';
    const bodies = [
      { grant_type: hostile },
      { grant_type: "refresh_token", refresh_token: hostile, client_id: hostile },
    ];
    const answers = await Promise.all(bodies.map((json) => call(signOn.url, "/auth/token", { json })));
    expect(answers.map(({ text }) => text.includes("canary"))).toEqual([false, false]);
    expect(JSON.stringify(signOn.log.lines)).not.toContain("canary");
  });
});

describeSignOn("POST /auth/token when something of ours fails", (scene) => {
  it("answers server_error without telling more, and the code is still good", async () => {
    const { signOn, world } = scene();
    const parameters = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const send = () => call(signOn.url, "/auth/token", { form: parameters });
    const broken = await signOn.withoutTable("sign_on_refresh_tokens", send);
    expectAnswer(broken, 500);
    expect(broken.json()).toEqual({ error: "server_error", error_description: "Something went wrong on our side." });
    expectAnswer(await send(), 200);
  });

  it("signs nothing without an active key: the code is not spent for it", async () => {
    const { signOn, world } = scene();
    const parameters = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const send = () => call(signOn.url, "/auth/token", { form: parameters });
    const setState = (from: string, to: string) =>
      signOn.db.updateTable("sign_on_signing_keys").set({ state: to }).where("state", "=", from).execute();
    await setState("active", "next");
    signOn.clock.step(31_000);
    const refused = await send();
    await setState("next", "active");
    signOn.clock.step(31_000);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(refused.json()).toMatchObject({ error: "temporarily_unavailable" });
    expectAnswer(await send(), 200);
  });
});
