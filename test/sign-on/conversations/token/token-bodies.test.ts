import { obtainCode } from "../../../support/browser.ts";
import { type Answer, type CallInit, call, sendRaw } from "../../../support/http.ts";
import { oauthError } from "../../../support/oauth-error.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";
import { basic, codeGrant, expectAnswer, expectRefusal, inBody, type Parameters } from "./token-kit.ts";

describeSignOn("POST /auth/token: malformed bodies (R-S1, S14, S40)", (scene) => {
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

  describe.each(["/auth/token", "/auth/revoke", "/auth/introspect"])("%s", (path) => {
    it.each(["null", "true", "1", '"grant_type=authorization_code"', "[]", '[{"grant_type":"refresh_token"}]'])(
      "says of the JSON %s that it is no object",
      async (body) => {
        const answer = await call(scene().signOn.url, path, { body, headers: json });
        expectRefusal(answer, 400, "invalid_request");
        const { error_description } = answer.json<{ readonly error_description: string }>();
        expect(error_description).toContain("The body must be one flat JSON object.");
      },
    );

    it("says of JSON that is nested 20,000 deep that this is too deep", async () => {
      const body = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
      const answer = await call(scene().signOn.url, path, { body, headers: json });
      expectRefusal(answer, 400, "invalid_request");
      const { error_description } = answer.json<{ readonly error_description: string }>();
      expect(error_description).toContain("nested too deeply");
    });

    it("says of an empty object what is missing", async () => {
      const answer = await call(scene().signOn.url, path, { json: {} });
      expectRefusal(answer, 400, "invalid_request");
      const name = path === "/auth/token" ? "grant_type" : "token";
      const { error_description } = answer.json<{ readonly error_description: string }>();
      expect(error_description).toContain(`The parameter ${name} is missing.`);
    });
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

  it.each(["GET", "PUT", "DELETE", "PATCH", "HEAD"])("is POST only, not %s (S31)", async (method) => {
    const answer = await call(scene().signOn.url, "/auth/token", { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("OPTIONS, POST");
  });

  it("refuses a body of more than 64 kB", async () => {
    const answer = await call(scene().signOn.url, "/auth/token", { form: { grant_type: "a".repeat(65_536) } });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ error: "invalid_request" });
  });

  it("reveals nothing of what was sent", async () => {
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

describeSignOn("POST /auth/token when Gatehouse itself fails", (scene) => {
  it("answers server_error without details, and the code stays valid", async () => {
    const { signOn, world } = scene();
    const parameters = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const send = () => call(signOn.url, "/auth/token", { form: parameters });
    const broken = await signOn.withoutTable("sign_on_families", send);
    expectAnswer(broken, 500);
    expect(broken.json()).toEqual(oauthError(broken, "server_error", "Something went wrong on our side."));
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
