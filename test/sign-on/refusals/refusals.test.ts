import { RefusalsService } from "../../../generated/proto/gatehouse/sign_on/v1/refusals.ts";
import { authorizePath, Browser, exchange, obtainCode, redeem, signIn } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { type Answer, call } from "../../support/http.ts";
import { applicationRequest, REDIRECT_URI } from "../../support/world.ts";
import { describeSignOn, type Scene, withApplication, withPerson } from "../sign-on-fixture.ts";

/** A canary in each private place. */
const SECRET = "canary-secret-value";

type Ask = (scene: Scene) => Promise<Answer>;
const authorize =
  (more: Readonly<Record<string, string | undefined>>): Ask =>
  ({ signOn, world }) =>
    new Browser(signOn.url).open(authorizePath(world, { state: SECRET, nonce: SECRET, login_hint: SECRET, ...more }));
const token =
  (form: Readonly<Record<string, string>>): Ask =>
  ({ signOn, world }) =>
    call(signOn.url, "/auth/token", {
      method: "POST",
      form: { client_id: world.application.id, client_secret: world.application.secret, ...form },
    });
const CODE = { grant_type: "authorization_code", code: SECRET, redirect_uri: REDIRECT_URI };
/** The same with the application in the header, as HTTP Basic. */
const byBasic =
  (form: Readonly<Record<string, string>>): Ask =>
  ({ signOn, world: { application } }) =>
    call(signOn.url, "/auth/token", {
      method: "POST",
      form,
      headers: { authorization: `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString("base64")}` },
    });
const userinfo =
  (authorization?: string): Ask =>
  ({ signOn }) =>
    call(signOn.url, "/auth/userinfo", authorization === undefined ? {} : { headers: { authorization } });

describeSignOn("a refused request", (scene) => {
  const linesOf = (id: string | null) =>
    scene().signOn.log.lines.filter(
      ({ sentence, fields }) => fields.requestId === id && sentence !== "Answered." && fields.peer !== "operator",
    );

  it.each<[check: string, operation: string, ask: Ask, more?: object]>([
    ["application.unknown", "authorize", authorize({ client_id: "app_AAAAAAAAAAAAAAAAAAAAA" })],
    ["client_id.missing", "authorize", authorize({ client_id: undefined })],
    ["redirect_uri.missing", "authorize", authorize({ redirect_uri: undefined })],
    [
      "redirect_uri.not_registered",
      "authorize",
      authorize({ redirect_uri: "http://localhost:9/Callback" }),
      {
        redirectUri: "http://localhost:9/Callback",
        nearest: { uri: REDIRECT_URI, differsAt: 19, distance: 1 },
      },
    ],
    [
      "scope.unknown",
      "authorize",
      authorize({ scope: "openid admin" }),
      { error: "invalid_scope", finding: "Unknown scope: `admin`." },
    ],
    ["response_type.not_code", "authorize", authorize({ response_type: "token" })],
    ["session.missing", "authorize", authorize({ prompt: "none" }), { error: "login_required" }],
    ["request.not_supported", "authorize", authorize({ request: SECRET }), { error: "request_not_supported" }],
    ["request_uri.not_supported", "authorize", authorize({ request_uri: SECRET })],
    [
      "registration.not_supported",
      "authorize",
      authorize({ registration: SECRET }),
      {
        error: "registration_not_supported",
        finding: "Registration with the request is not supported.",
        parameters: expect.arrayContaining(["registration", "scope", "nonce"]),
      },
    ],
    [
      "client_id.repeated",
      "authorize",
      ({ signOn, world }) => new Browser(signOn.url).open(`${authorizePath(world)}&client_id=${SECRET}`),
    ],
    [
      "redirect_uri.repeated",
      "authorize",
      ({ signOn, world }) => new Browser(signOn.url).open(`${authorizePath(world)}&redirect_uri=${SECRET}`),
    ],
    [
      "parameter.in_address",
      "authorize",
      ({ signOn, world }) =>
        call(signOn.url, `/auth/authorize?nonce=${SECRET}`, {
          method: "POST",
          form: Object.fromEntries(new URLSearchParams(authorizePath(world).split("?")[1])),
        }),
      { parameters: ["nonce", "response_type", "client_id", "redirect_uri", "scope", "state"] },
    ],
    ["interaction.gone", "showLogin", ({ signOn }) => call(signOn.url, `/auth/login?interaction=${SECRET}`)],
    ["page.malformed", "showLogin", ({ signOn }) => call(signOn.url, "/auth/login")],
    [
      "form.refused",
      "submitLogin",
      ({ signOn }) =>
        call(signOn.url, "/auth/login?interaction=x", {
          method: "POST",
          headers: { origin: "https://evil.example" },
          form: { form_token: SECRET, email: SECRET, password: SECRET },
        }),
    ],
    [
      "application.secret_wrong",
      "exchangeToken",
      token({ ...CODE, client_secret: SECRET }),
      { error: "invalid_client" },
    ],
    [
      "code.unknown",
      "exchangeToken",
      token(CODE),
      { parameters: ["client_id", "client_secret", "grant_type", "code", "redirect_uri"], error: "invalid_grant" },
    ],
    ["grant_type.unknown", "exchangeToken", token({ grant_type: "password", password: SECRET })],
    ["client_id.differs", "exchangeToken", byBasic({ ...CODE, client_id: SECRET })],
    [
      "application.header_malformed",
      "exchangeToken",
      ({ signOn }) =>
        call(signOn.url, "/auth/token", { method: "POST", form: CODE, headers: { authorization: `Basic ${SECRET}` } }),
      { error: "invalid_client", parameters: ["grant_type", "code", "redirect_uri"] },
    ],
    ["parameter.missing", "exchangeToken", token({ grant_type: "authorization_code" })],
    [
      "parameter.in_address",
      "exchangeToken",
      ({ signOn }) => call(signOn.url, `/auth/token?code=${SECRET}`, { method: "POST", form: CODE }),
      { parameters: ["code", "grant_type", "redirect_uri"], redirectUri: REDIRECT_URI },
    ],
    ["refresh_token.unknown", "exchangeToken", token({ grant_type: "refresh_token", refresh_token: SECRET })],
    ["access_token.missing", "getUserinfo", userinfo()],
    ["access_token.invalid", "getUserinfo", userinfo(`Bearer ${SECRET}`), { parameters: [] }],
    [
      "access_token.twice",
      "postUserinfo",
      ({ signOn }) =>
        call(signOn.url, "/auth/userinfo", {
          method: "POST",
          form: { access_token: SECRET },
          headers: { authorization: `Bearer ${SECRET}` },
        }),
      { error: "invalid_request", parameters: ["access_token"] },
    ],
    ["address.method", "unrouted", ({ signOn }) => call(signOn.url, "/auth/token")],
    ["address.slash", "unrouted", ({ signOn }) => call(signOn.url, "/auth/token/", { method: "POST" })],
    ["address.unknown", "unrouted", ({ signOn }) => call(signOn.url, `/auth/${SECRET}`)],
  ])("by %s of %s leaves one log line and can be explained (R-X122)", async (check, operation, ask, more = {}) => {
    const answer = await ask(scene());
    const requestId = answer.headers.get("x-request-id") ?? "";
    // What the edge notes by itself is on its way when the answer is.
    const explained = await explainedOf(requestId);
    expect(explained).toMatchObject({ requestId, check, operation, at: scene().signOn.clock.now(), ...more });
    expect([explained.finding, explained.advice]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
    expect(linesOf(requestId).map(({ level, fields }) => [level, fields.check])).toEqual([["info", check]]);
    expect(JSON.stringify([explained, linesOf(requestId)])).not.toContain(SECRET);
  });

  const explainedOf = async (requestId: string) => {
    const explain = () => scene().signOn.inspection.explainRefusal({ requestId });
    await eventually(
      () =>
        explain().then(
          () => true,
          () => false,
        ),
      (isNoted) => isNoted,
    );
    return explain();
  };

  it("names the parameters that were sent, without those that HTTP Basic replaces", async () => {
    const { signOn, world } = scene();
    const answer = await byBasic(CODE)(scene());
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect(await signOn.inspection.explainRefusal({ requestId })).toMatchObject({
      check: "code.unknown",
      applicationId: world.application.id,
      parameters: ["grant_type", "code", "redirect_uri"],
      redirectUri: REDIRECT_URI,
    });
  });

  it("has a check of its own for each cause, also where the answer says the same", async () => {
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world);
    const code = await obtainCode(signOn.url, application);
    const update = { ...applicationRequest(world.instanceId), applicationId: application.application.id };
    await signOn.signOn.updateApplication({ ...update, scopes: ["openid"], updateMask: ["scopes"] });
    const person = await withPerson(signOn, world, "refused@harbour.example");
    const redeemed = await redeem(signOn.url, person, await obtainCode(signOn.url, person));
    await signOn.disablePerson(person.personId);
    const answers = [
      await redeem(signOn.url, application, code),
      await userinfo(`Bearer ${redeemed.json<{ access_token: string }>().access_token}`)(scene()),
      await exchange(signOn.url, person, {
        grant_type: "refresh_token",
        refresh_token: redeemed.json<{ refresh_token: string }>().refresh_token,
      }),
    ];
    const explained = answers.map(async ({ headers }) => {
      const requestId = headers.get("x-request-id") ?? "";
      const { check, error } = await signOn.inspection.explainRefusal({ requestId });
      return [check, error];
    });
    expect(await Promise.all(explained)).toEqual([
      ["code.scope_not_registered", "invalid_grant"],
      ["access_token.membership_lost", "invalid_token"],
      ["membership.lost", "invalid_grant"],
    ]);
  });

  it("names each way in which a code ends, and each reason for which a person has to sign in", async () => {
    const { signOn, world } = scene();
    const findingOf = async ({ headers }: Answer) => (await explainedOf(headers.get("x-request-id") ?? "")).finding;
    const person = await withPerson(signOn, world, "signed.out@harbour.example");
    const browser = new Browser(signOn.url);
    const left = await signIn(browser, authorizePath(person), { email: person.email });
    signOn.clock.step(2_000);
    const silent = await browser.open(authorizePath(person, { prompt: "none", max_age: "1" }));
    expect(await findingOf(silent)).toMatch(/nobody is signed in, or .*, or .* longer ago than max_age allows/);
    const question = await browser.follow("/auth/sign-out");
    await browser.submit(question.answer, {});
    const late = await redeem(signOn.url, person, left.searchParams.get("code") ?? "");
    expect(late.status).toBe(400);
    expect(await findingOf(late)).toContain("by a sign-out");
  });

  it("by a check that this version does not have is explained by what the answer said", async () => {
    const { signOn } = scene();
    const sentence = "Registration with the request is not supported.";
    const row = {
      request_id: "req_of_before",
      refused_at: 0,
      operation: "authorize",
      check_name: "unnamed.registration_not_supported",
      error: "registration_not_supported",
      sentence,
      application_id: null,
      parameters: "[]",
      redirect_uri: null,
    };
    await signOn.db.insertInto("sign_on_refusals").values(row).execute();
    expect(await signOn.inspection.explainRefusal({ requestId: "req_of_before" })).toMatchObject({
      check: "unnamed.registration_not_supported",
      finding: sentence,
      advice: expect.stringContaining("/docs"),
    });
  });

  it.each([
    ["by a page", { client_id: "nobody" }],
    ["at the redirect URI", { scope: "openid admin" }],
  ])("%s leaves its line with the trace of the request (R-X65)", async (_, parameters) => {
    const { signOn, world } = scene();
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const answer = await call(signOn.url, authorizePath(world, parameters), { headers });
    const lines = linesOf(answer.headers.get("x-request-id"));
    expect(lines.map(({ sentence, fields }) => [sentence, fields.traceId])).toEqual([
      ["A request was refused.", traceId],
    ]);
  });

  it("that is a page shows its id to the person (R-X8)", async () => {
    const answer = await authorize({ client_id: "nobody" })(scene());
    expect(answer.text).toContain(`<code>${answer.headers.get("x-request-id")}</code>`);
  });

  it("by a disabled application says so", async () => {
    const { signOn, world } = scene();
    const { signOn: operator } = signOn;
    const { application } = await operator.createApplication({
      name: "Other",
      kind: "APPLICATION_KIND_WEB",
      redirectUris: [{ uri: REDIRECT_URI, instanceId: world.instanceId }],
      scopes: ["openid"],
      pkceRequired: false,
      consent: "CONSENT_POLICY_NEVER",
      lifetimes: null,
      grantTypes: [],
      refreshRepeatSeconds: null,
      corsOrigins: [],
      postLogoutRedirectUris: [],
    });
    const applicationId = application?.id ?? "";
    await operator.disableApplication({ applicationId });
    const answer = await authorize({ client_id: applicationId })(scene());
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect(await signOn.inspection.explainRefusal({ requestId })).toMatchObject({
      check: "application.unknown",
      finding: "The application is disabled.",
      applicationName: "Other",
      command: ["applications", "enable", applicationId],
    });
  });

  it("drops names of unknown parameters, and unprintable text (R-X122)", async () => {
    const uri = `https://app.example/\u00fc\u202e\u0007${"x".repeat(600)}`;
    const answer = await authorize({ redirect_uri: uri, [SECRET]: "1" })(scene());
    const requestId = answer.headers.get("x-request-id") ?? "";
    const explained = await scene().signOn.inspection.explainRefusal({ requestId });
    expect(explained.parameters).not.toContain(SECRET);
    expect(explained.redirectUri).toMatch(/^https:\/\/app\.example\/\?\?\?x+\.\.\.$/);
    expect(explained.redirectUri).toHaveLength(500);
  });

  it("is no request that went well", async () => {
    const { signOn, world } = scene();
    const answer = await redeem(signOn.url, world, await obtainCode(signOn.url, world));
    const requestId = answer.headers.get("x-request-id") ?? "";
    await expect(signOn.inspection.explainRefusal({ requestId })).rejects.toMatchObject({
      reason: "refusal_not_found",
    });
  });

  it.each([undefined, "https://app.example"])(
    "by the edge alone leaves its log line and its explanation, also from a page of origin %s",
    async (origin) => {
      const { signOn } = scene();
      const headers = origin === undefined ? {} : { origin };
      const init = { method: "POST", form: { grant_type: "password" }, headers };
      const answer = await call(signOn.url, "/auth/token", init);
      const requestId = answer.headers.get("x-request-id") ?? "";
      expect(linesOf(requestId).map(({ fields }) => fields.check)).toEqual(["grant_type.unknown"]);
      const explained = await explainedOf(requestId);
      expect(explained.check).toBe("grant_type.unknown");
    },
  );

  it("is noted by edges without its malformed parts", async () => {
    const { signOn } = scene();
    const refusals = signOn.as("edge", RefusalsService);
    const told = {
      operation: "authorize",
      check: "page.malformed",
      error: "",
      applicationId: null,
      parameters: ["x"],
      sentence: "",
      redirectUri: "https://app.example/\n\u00e9",
    };
    const bad = [
      { ...told, requestId: "req a" },
      { ...told, requestId: "req_bad1", check: "no check\n" },
      { ...told, requestId: "req_bad2", operation: "" },
    ];
    const good = {
      ...told,
      requestId: "req_good",
      applicationId: "nobody",
      parameters: ["state", SECRET],
      error: "no\n",
    };
    await refusals.noteRefusals({ refusals: [...bad, good] });
    const { inspection } = signOn;
    expect(await inspection.explainRefusal({ requestId: "req_good" })).toMatchObject({
      applicationId: null,
      parameters: ["state"],
      error: "",
      redirectUri: "https://app.example/??",
    });
    for (const { requestId } of bad)
      await expect(inspection.explainRefusal({ requestId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
