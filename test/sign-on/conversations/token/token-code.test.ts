import { createHash } from "node:crypto";
import { newPkce, obtainCode } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { withoutReference } from "../../../support/oauth-error.ts";
import { invitation, REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import {
  BODIES,
  basic,
  codeGrant,
  expectAnswer,
  expectRefusal,
  hexDigest,
  inBody,
  type Parameters,
  partOf,
  refreshGrant,
  type Tokens,
  userinfo,
} from "./token-kit.ts";

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
        refresh_token: expect.stringMatching(/^ghr_[\w-]{64}$/),
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

    it("ignores unknown parameters, and treats empty as absent (RFC 6749 §3.2)", async () => {
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
      expect(new Set(answers.map(withoutReference)).size).toBe(1);
    });

    it.each([0, 1, 42, 43, 44, 1_000])("refuses a secret of %d characters like any wrong one (S28)", async (length) => {
      const { id } = scene().world.application;
      const answers = [
        await send({ ...codeGrant("x"), client_id: id, client_secret: "x".repeat(length) }),
        await send({ ...codeGrant("x"), client_id: id, client_secret: "wrong" }),
      ];
      const [first, second] = answers.map((answer) => [answer.status, withoutReference(answer)]);
      expect(first).toEqual(second);
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      expect(answers[1]?.json()).toMatchObject({ error: "invalid_client" });
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
      const refused = await send({ ...codeGrant(late), ...inBody(world) });
      expectRefusal(refused, 400, "invalid_grant");
      expect(refused.text).toContain("The authorization code has expired.");
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

    it("is not replayed by a caller that cannot authenticate", async () => {
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

    it("is refused when the person lost the seat or was disabled since; the code is not spent (R-S7, R-X24)", async () => {
      const { signOn, world } = scene();
      const lost = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const code = await obtain({}, lost);
      await signOn.platform.deleteUser({ requestId: "", userId: lost.userId });
      expectRefusal(await send({ ...codeGrant(code), ...inBody(world) }), 400, "invalid_grant");
      const disabled = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const other = await obtain({}, disabled);
      await signOn.disablePerson(disabled.personId);
      expectRefusal(await send({ ...codeGrant(other), ...inBody(world) }), 400, "invalid_grant");
      await signOn.platform.inviteUser(invitation(world.tenantId, lost.email, { signedInBefore: true }));
      expect((await send({ ...codeGrant(code), ...inBody(world) })).status).toBe(200);
    });

    it("says who signed in, when, and for whom, in an ID token (spec §2.7, R-X10, R-X110)", async () => {
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
        acr: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
        sid: expect.stringMatching(/^[\w-]{22}$/),
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

    it("says nothing of the person in an access token but the subject (RFC 9068, R-S12, R-X9)", async () => {
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
        jti: expect.stringMatching(/^[\w-]{22}\.[\w-]{16}$/),
      });
    });
  });
});
