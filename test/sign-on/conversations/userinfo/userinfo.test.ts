import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { SeatKind } from "../../../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn } from "../../../support/browser.ts";
import { type Answer, type CallInit, call, sendRaw } from "../../../support/http.ts";
import { challengeOf, oauthError } from "../../../support/oauth-error.ts";
import { invitation, newTenant, onboarding, present, REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

const NO_TOKEN = 'Bearer realm="userinfo"';
const INVALID = `${NO_TOKEN}, error="invalid_token", error_description="The access token is invalid or has expired. (req_…)"`;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

function expectRefusal(answer: Answer, status: number, error: string, challenge: string) {
  expect(answer.status).toBe(status);
  expect(challengeOf(answer)).toBe(challenge);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  expect(answer.json()).toEqual(oauthError(answer, error));
}

describeSignOn("GET /auth/userinfo (spec §4.1, OIDC Core §5.3)", (scene) => {
  const read = (token: string, init: CallInit = {}) =>
    call(scene().signOn.url, "/auth/userinfo", {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
  async function tokensOf(world = scene().world, parameters: Readonly<Record<string, string>> = {}): Promise<Tokens> {
    const { signOn } = scene();
    const code = await obtainCode(signOn.url, world, parameters);
    return (await redeem(signOn.url, world, code)).json();
  }

  const ALWAYS = ["sub", "aud", "aub", "workerProfileId", "userIds", "workerIds", "lastLoginContext"];
  const PROFILE = ["name", "firstName", "lastName", "given_name", "family_name"];
  const EMAIL = ["email", "email_verified"];

  it.each([
    ["openid", ALWAYS],
    ["openid profile", [...ALWAYS, ...PROFILE]],
    ["openid email", [...ALWAYS, ...EMAIL]],
    ["openid offline_access", ALWAYS],
    ["openid profile email", [...ALWAYS, ...PROFILE, ...EMAIL]],
  ])("returns with %s: %j (R-S6, R-S8)", async (scope, names) => {
    const answer = await read((await tokensOf(undefined, { scope })).access_token);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json<object>()).sort()).toEqual([...names].sort());
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
  });

  it("returns the person, the application twice, and the seats (R-S4, R-S5, R-S22)", async () => {
    const { world } = scene();
    const { access_token, id_token } = await tokensOf(undefined, { scope: "openid profile email" });
    const returned = (await read(access_token)).json<Record<string, unknown>>();
    expect(returned).toEqual({
      sub: world.personId,
      aud: world.application.id,
      aub: world.application.id,
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
    const { iss, exp, iat, auth_time, at_hash, acr, sid, ...identity } = decode(id_token.split(".")[1]);
    expect({ ...identity, aub: world.application.id }).toEqual(returned);
  });

  it("returns the same subject to every application (R-S5)", async () => {
    const { signOn, world } = scene();
    const other = await withApplication(signOn, world);
    const subjects = await Promise.all(
      [world, other].map(async (one) =>
        (await read((await tokensOf(one)).access_token)).json<{ sub: string; aud: string }>(),
      ),
    );
    expect(subjects.map(({ sub }) => sub)).toEqual([world.personId, world.personId]);
    expect(subjects.map(({ aud }) => aud)).toEqual([world.application.id, other.application.id]);
  });

  it("returns the current seats of the redirect URI's instance only (R-S7, R-S22)", async () => {
    const { signOn, world } = scene();
    const email = "everywhere@harbour.example";
    const person = await withPerson(signOn, world, email);
    const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Americas" });
    const americas = present(instance).id;
    const pier = await newTenant(signOn, americas, "Pier");
    const uri = "https://americas.example/cb";
    const both = await withApplication(signOn, person, {
      redirectUris: [
        { uri: REDIRECT_URI, instanceId: world.instanceId },
        { uri, instanceId: americas },
      ],
    });
    const { worker } = await signOn.platform.onboardWorker(onboarding(pier, email));
    const here = await tokensOf(both);
    const browser = new Browser(signOn.url);
    const left = await signIn(browser, authorizePath(both, { redirect_uri: uri }), { email });
    const grant = { grant_type: "authorization_code", code: left.searchParams.get("code") ?? "", redirect_uri: uri };
    const credentials = { client_id: both.application.id, client_secret: both.application.secret };
    const there = (await call(signOn.url, "/auth/token", { json: { ...grant, ...credentials } })).json<Tokens>();
    expect((await read(here.access_token)).json()).toMatchObject({
      userIds: [{ id: person.userId, clientId: world.tenantId }],
      workerIds: [],
      lastLoginContext: { userType: "USER", clientId: world.tenantId },
    });
    expect((await read(there.access_token)).json()).toMatchObject({
      userIds: [],
      workerIds: [{ id: present(worker).id, clientId: pier }],
      lastLoginContext: { userType: "WORKER", clientId: pier },
    });
    // INVITED seats are omitted until they are ACTIVE; the context follows the platform.
    const { user } = await signOn.platform.inviteUser(invitation(pier, email));
    expect((await read(there.access_token)).json()).toMatchObject({ userIds: [] });
    await browser.follow(authorizePath(both, { redirect_uri: uri }));
    const seat = { id: present(user).id, clientId: pier };
    const asUser = { userIds: [seat], lastLoginContext: { userType: "USER", clientId: pier } };
    expect((await read(there.access_token)).json()).toMatchObject(asUser);
    const kind = SeatKind.WORKER;
    await signOn.platform.setLastLoginContext({ requestId: "", personId: person.personId, kind, tenantId: pier });
    const asWorker = { userIds: [seat], lastLoginContext: { userType: "WORKER", clientId: pier } };
    expect((await read(there.access_token)).json()).toMatchObject(asWorker);
  });

  it("needs openid: 403 insufficient_scope otherwise (R-S8, spec §7.3)", async () => {
    const answer = await read((await tokensOf(undefined, { scope: "profile email" })).access_token);
    const returned =
      'error="insufficient_scope", error_description="The access token lacks the scope openid. (req_…)", scope="openid"';
    expectRefusal(answer, 403, "insufficient_scope", `${NO_TOKEN}, ${returned}`);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["the scheme alone", { authorization: "Bearer" }],
    ["no space", { authorization: "BearerTOKEN" }],
    ["the token alone", { authorization: "TOKEN" }],
    ["two tokens", { authorization: "Bearer TOKEN TOKEN" }],
    ["a list", { authorization: "Bearer TOKEN, Bearer TOKEN" }],
    ["a quoted token", { authorization: 'Bearer "TOKEN"' }],
    ["characters of no token", { authorization: "Bearer <TOKEN>" }],
    ["another header", { "x-authorization": "Bearer TOKEN", "proxy-authorization": "Bearer TOKEN" }],
    ["a cookie", { cookie: "access_token=TOKEN" }],
  ])("asks for a token when there is %s (RFC 6750 §3, R-X13)", async (_, given) => {
    const { access_token } = await tokensOf();
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replaceAll("TOKEN", access_token)]),
    );
    const answer = await call(scene().signOn.url, "/auth/userinfo", { headers });
    expectRefusal(answer, 401, "invalid_token", NO_TOKEN);
  });

  it("takes no token from the query string, and logs none (RFC 9700 §4.3.2, S31)", async () => {
    const { signOn } = scene();
    const { access_token } = await tokensOf();
    const answer = await call(signOn.url, `/auth/userinfo?access_token=${access_token}`);
    expectRefusal(answer, 401, "invalid_token", NO_TOKEN);
    await read(`${access_token}x`);
    expect(JSON.stringify(signOn.log.lines)).not.toContain(access_token.slice(0, 60));
  });

  it("takes no token of two headers, and says that there are two (RFC 6750 §3.1)", async () => {
    const { signOn } = scene();
    const { access_token } = await tokensOf();
    const header = `authorization: Bearer ${access_token}\r\n`;
    const request = (headers: string) =>
      `GET /auth/userinfo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`;
    const twice = await sendRaw(signOn.url, request(header + header), { end: false });
    const once = await sendRaw(signOn.url, request(header), { end: false });
    expect([twice, once].map(({ answers }) => answers[0]?.status)).toEqual([400, 200]);
    expect(twice.answers[0]?.json()).toMatchObject({
      error: "invalid_request",
      error_description: expect.stringMatching(/^The Authorization header is repeated\. /),
    });
  });

  it.each(["bearer ", "BEARER  "])("takes the scheme as %j", async (scheme) => {
    const { access_token } = await tokensOf();
    expect((await read("", { headers: { authorization: scheme + access_token } })).status).toBe(200);
  });

  it("ends with the hour, to the second (spec §8)", async () => {
    const { signOn } = scene();
    const { access_token } = await tokensOf();
    const exp = Number(decode(access_token.split(".")[1]).exp) * 1000;
    signOn.clock.step(exp - signOn.clock.now().getTime() - 1);
    expect((await read(access_token)).status).toBe(200);
    signOn.clock.step(1);
    expectRefusal(await read(access_token), 401, "invalid_token", INVALID);
  });

  it("is no place for an ID token, a refresh token or a code (S33, RFC 9700 §2.3)", async () => {
    const { signOn, world } = scene();
    const { id_token, refresh_token } = await tokensOf();
    const code = await obtainCode(signOn.url, world);
    for (const token of [id_token, refresh_token, code])
      expectRefusal(await read(token), 401, "invalid_token", INVALID);
  });

  it("refuses the token of another issuer, though it is an access token of Gatehouse", async () => {
    const { world } = scene();
    const claims = decode((await tokensOf()).access_token.split(".")[1]);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text = `${encode({ alg: "ES256", typ: "at+jwt", kid: "es256-other" })}.${encode({ ...claims, sub: world.personId })}`;
    const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
    expectRefusal(await read(`${text}.${signature.toString("base64url")}`), 401, "invalid_token", INVALID);
  });

  it("is confused by no algorithm and no key that the token brings along (S32)", async () => {
    const { signOn } = scene();
    const { access_token } = await tokensOf();
    const [header, payload] = access_token.split(".").map((part) => part);
    const { keys } = (await call(signOn.url, "/.well-known/jwks.json")).json<{
      keys: (JsonWebKey & { kid: string })[];
    }>();
    const publicKeys = keys.map((jwk) => createPublicKey({ key: jwk, format: "jwk" }));
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const es256 = (text: string) =>
      sign("sha256", Buffer.from(text), { key: own.privateKey, dsaEncoding: "ieee-p1363" });
    const seal = (change: object, signature: (text: string) => Buffer) => {
      const text = `${encode({ ...decode(header), ...change })}.${payload}`;
      return `${text}.${signature(text).toString("base64url")}`;
    };
    const hmac = (key: string | Buffer) => (text: string) => createHmac("sha256", key).update(text).digest();
    const spki = (key: KeyObject, format: "pem" | "der") =>
      key.export({ type: "spki", format } as { type: "spki"; format: "pem" });
    const forged = [
      `${encode({ ...decode(header), alg: "none" })}.${payload}.`,
      `${encode({ ...decode(header), alg: "nOnE" })}.${payload}.`,
      `${encode({ alg: "none" })}.${payload}.`,
      ...publicKeys.flatMap((key) => [
        seal({ alg: "HS256" }, hmac(spki(key, "pem"))),
        seal({ alg: "HS256" }, hmac(Buffer.from(spki(key, "der")))),
      ]),
      ...keys.map(({ kid }) => seal({ alg: "HS256", kid }, hmac(JSON.stringify(keys.find((one) => one.kid === kid))))),
      seal({ alg: "HS256" }, hmac("")),
      seal({}, es256),
      seal({ jwk: own.publicKey.export({ format: "jwk" }) }, es256),
      seal({ jku: `${signOn.url}/.well-known/jwks.json`, x5u: "https://evil.example" }, es256),
      seal({ x5c: ["MIIB"] }, es256),
      seal({ kid: "../../../dev/null" }, es256),
      seal({ kid: "' union select public_jwk from sign_on_signing_keys --" }, es256),
      seal({ kid: "" }, es256),
      seal({ crit: ["exp"] }, es256),
      seal({ alg: "RS256", kid: keys.find(({ kid }) => kid.startsWith("rs256"))?.kid }, es256),
    ];
    const answers: Answer[] = [];
    for (const token of forged) answers.push(await read(token));
    expect(answers.map(({ status }) => status)).toEqual(forged.map(() => 401));
    expect((await read(access_token)).status).toBe(200);
  });

  it("refuses a token with any byte changed, cut or added (S34)", async () => {
    const { access_token } = await tokensOf();
    const [header = "", payload = "", signature = ""] = access_token.split(".");
    const reencoded = (part: string) => encode(decode(part)).replace(/^/, "");
    const spoilt = [
      `${access_token}A`,
      `${access_token}AAAA`,
      `${access_token}=`,
      `${access_token}==`,
      `${access_token}.`,
      `${access_token}.${signature}`,
      access_token.slice(0, -1),
      access_token.slice(1),
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}${signature.endsWith("AA") ? "BB" : "AA"}`,
      `${header}.${Buffer.from(`${JSON.stringify(decode(payload))} `).toString("base64url")}.${signature}`,
      `${header}.${Buffer.from(JSON.stringify({ ...decode(payload), scope: "openid profile" })).toString("base64url")}.${signature}`,
      `${header}.${payload}.${Buffer.from(signature, "base64url").toString("base64").replace(/=+$/, "+/")}`,
      access_token.toUpperCase(),
      `${access_token}${"A".repeat(5_000)}`,
    ];
    expect(`${reencoded(header)}.${reencoded(payload)}`).toBe(`${header}.${payload}`);
    const answers: Answer[] = [];
    for (const token of spoilt) answers.push(await read(token));
    expect(answers.map(({ status }) => status)).toEqual(spoilt.map(() => 401));
  });

  it("refuses every token of a revoked family, and of no other family", async () => {
    const { signOn, world } = scene();
    const code = await obtainCode(signOn.url, world);
    const stolen = (await redeem(signOn.url, world, code)).json<Tokens>();
    const other = await tokensOf();
    await redeem(signOn.url, world, code);
    expectRefusal(await read(stolen.access_token), 401, "invalid_token", INVALID);
    expect((await read(other.access_token)).status).toBe(200);
  });

  it("refuses when the person lost the seat, or was disabled, since (R-S7, I8)", async () => {
    const { signOn, world } = scene();
    const lost = await withPerson(signOn, world, "lost@harbour.example");
    const disabled = await withPerson(signOn, world, "disabled@harbour.example");
    const tokens = [await tokensOf(lost), await tokensOf(disabled)];
    await signOn.platform.disableUser({ requestId: "", userId: lost.userId });
    await signOn.disablePerson(disabled.personId);
    for (const { access_token } of tokens) expectRefusal(await read(access_token), 401, "invalid_token", INVALID);
    await signOn.platform.enableUser({ requestId: "", userId: lost.userId });
    expect((await read(present(tokens[0]).access_token)).status).toBe(200);
  });

  it.each([
    ["a body", "", { method: "GET", body: "x", headers: { "content-type": "text/plain" } }],
    ["an address that cannot be decoded", "?x=%zz", {}],
    ["NUL in the address", "?x=%00", {}],
    ["an address that cannot be decoded, by POST", "?x=%zz", { method: "POST" }],
  ])("refuses a request with %s, and calls the token neither good nor bad (RFC 6750 §3.1)", async (_, query, init) => {
    const { access_token } = await tokensOf();
    const headers = { authorization: `Bearer ${access_token}`, ...("headers" in init && init.headers) };
    const answer = await call(scene().signOn.url, `/auth/userinfo${query}`, { ...init, headers });
    expectRefusal(
      answer,
      400,
      "invalid_request",
      `${NO_TOKEN}, error="invalid_request", error_description="The request is malformed. (req_…)"`,
    );
  });

  it("answers server_error without details when Gatehouse itself fails", async () => {
    const { signOn } = scene();
    const { access_token } = await tokensOf();
    const answer = await signOn.withoutTable("sign_on_families", () => read(access_token));
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual(oauthError(answer, "server_error", "Something went wrong on our side."));
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
