import { assets } from "#runtime/pages/assets.ts";
import { ApplicationKind, ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, newPkce, signIn, tokenOf } from "../../../support/browser.ts";
import type { Answer } from "../../../support/http.ts";
import { errorUriOf } from "../../../support/oauth-error.ts";
import { PASSWORD, present, REDIRECT_URI, type World } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";

const parametersOf = (left: URL | undefined) => Object.fromEntries(left?.searchParams ?? []);
const hasCode = (left: URL | undefined) => left?.searchParams.has("code") ?? false;
const { ALWAYS, NEVER } = ConsentPolicy;
const { BROWSER, NATIVE } = ApplicationKind;

describeSignOn("/auth/consent", (scene) => {
  let people = 0;
  /** A person at the consent page of the world's application. */
  async function begin(parameters?: Readonly<Record<string, string | undefined>>, application?: World) {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, application ?? world, `person${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(person, parameters));
    const page = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
    return { signOn, person, browser, ...page };
  }
  const approve = { decision: "approve" };

  it("says who asks for what, in whose name, and where the way back leads, with strict headers", async () => {
    const { person, answer, path } = await begin({ scope: "openid email offline_access" });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Marigold");
    expect(answer.text).toContain(person.email);
    expect(answer.text).toContain("http://localhost:9");
    expect(answer.text).toContain(`<form method="post" action="${path}">`);
    expect([...answer.text.matchAll(/<li>([^<]*)<\/li>/g)].map(([, line]) => line)).toEqual([
      expect.stringMatching(/recognise you/),
      expect.stringMatching(/e-mail address/),
      expect.stringMatching(/stay connected/),
    ]);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /form-action 'self' http:\/\/localhost:9; frame-ancestors 'none'/,
    );
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).not.toMatch(/canary|st-4711/);
    expect(answer.text.match(/<script[^>]*>/g)).toEqual([`<script src="${assets.script.href}" defer>`]);
    expect(answer.headers.get("content-security-policy")).toContain(
      ` script-src ${scene().signOn.issuer}${assets.script.href};`,
    );
  });

  it("offers another account: its person signs in and is asked, for the same application (R-X205)", async () => {
    const { signOn, world } = scene();
    const { person, browser, answer } = await begin({ login_hint: "hint@harbour.example" });
    const other = await withPerson(signOn, world, `person${++people}@harbour.example`);
    const link = /<a class="lone" href="(\/auth\/login[^"]*)">Use another account</
      .exec(answer.text)?.[1]
      ?.replaceAll("&amp;", "&");
    const login = await browser.follow(link ?? "");
    expect(login.path).toMatch(/^\/auth\/login\?interaction=\w{22}&account=other$/);
    expect(login.answer.text).not.toContain("@harbour.example");
    const asked = await browser.submit(login.answer, { email: other.email, password: PASSWORD });
    expect(asked.answer.text).toContain(`signed in as <bdi class="value">${other.email}</bdi>`);
    expect(asked.answer.text).not.toContain(person.email);
    expect(hasCode((await browser.submit(asked.answer, approve)).left)).toBe(true);
  });

  it("keeps the account of a person who only looks at the page for another one (R-X205)", async () => {
    const { person, browser, path } = await begin();
    const login = await browser.open(path.replace("/auth/consent", "/auth/login").concat("&account=other"));
    expect([login.status, (await browser.open(path)).text.includes(person.email)]).toEqual([200, true]);
  });

  it("goes back with a code when approved, by 303, and is over then", async () => {
    const { signOn, browser, answer, path } = await begin();
    const next = await browser.open(path, { form: { form_token: tokenOf(answer), ...approve } });
    expect(next.status).toBe(303);
    expect(parametersOf(new URL(next.headers.get("location") ?? ""))).toEqual({
      code: expect.stringMatching(/^[A-Za-z0-9_-]{64}$/),
      state: "st-4711",
      iss: signOn.issuer,
    });
    expect(next.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse_interaction_\w{22}=; .*Max-Age=0$/),
    ]);
    expect([...browser.cookies.keys()]).toEqual(["gatehouse_session"]);
  });

  it("goes back with access_denied when declined; that is not remembered, and ends nothing else (spec §7.1)", async () => {
    const { signOn, person, browser, answer } = await begin();
    const { left } = await browser.submit(answer, { decision: "deny" });
    expect(parametersOf(left)).toEqual({
      error: "access_denied",
      error_description: expect.stringMatching(/^The person refused the access\. \(req_\w{21}\)$/),
      error_uri: errorUriOf("access_denied"),
      state: "st-4711",
      iss: signOn.issuer,
    });
    const again = await browser.follow(authorizePath(person));
    expect(again.path).toMatch(/^\/auth\/consent/);
    expect(hasCode((await browser.submit(again.answer, approve)).left)).toBe(true);
    expect(hasCode((await browser.follow(authorizePath(person))).left)).toBe(true);
  });

  it("keeps an earlier consent when a later question is declined", async () => {
    const { person, browser, answer } = await begin({ scope: "openid" });
    await browser.submit(answer, approve);
    const more = await browser.follow(authorizePath(person, { scope: "openid email" }));
    await browser.submit(more.answer, { decision: "deny" });
    expect(hasCode((await browser.follow(authorizePath(person, { scope: "openid" }))).left)).toBe(true);
    expect((await browser.follow(authorizePath(person, { scope: "openid email" }))).path).toMatch(/^\/auth\/consent/);
  });

  it("is asked once: what was approved covers its parts and adds up (R-S18)", async () => {
    const { person, browser, answer } = await begin({ scope: "openid profile" });
    await browser.submit(answer, approve);
    const open = (scope: string) => browser.follow(authorizePath(person, { scope }));
    expect(hasCode((await open("profile")).left)).toBe(true);
    const more = await open("openid email");
    expect(more.path).toMatch(/^\/auth\/consent/);
    await browser.submit(more.answer, approve);
    expect(hasCode((await open("openid profile email")).left)).toBe(true);
    expect((await open("openid offline_access")).path).toMatch(/^\/auth\/consent/);
  });

  it("is asked of every person, for every application, on every instance (R-S18)", async () => {
    const { signOn, person, browser, answer } = await begin();
    await browser.submit(answer, approve);
    const other = await begin();
    expect(other.path).toMatch(/^\/auth\/consent/);
    const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Americas" });
    const instanceId = present(instance).id;
    const { tenant } = await signOn.platform.createTenant({ requestId: "", instanceId, name: "Pier", address: null });
    const tenantId = present(tenant).id;
    await signOn.platform.inviteUser({ requestId: "", tenantId, email: person.email, emailVerified: true });
    const uri = "https://americas.example/cb";
    const both = await withApplication(signOn, person, {
      redirectUris: [
        { uri: REDIRECT_URI, instanceId: person.instanceId },
        { uri, instanceId },
      ],
    });
    const here = await browser.follow(authorizePath(both));
    expect(here.path).toMatch(/^\/auth\/consent/);
    expect(hasCode((await browser.submit(here.answer, approve)).left)).toBe(true);
    const there = await browser.follow(authorizePath(both, { redirect_uri: uri }));
    expect(there.path).toMatch(/^\/auth\/consent/);
    expect(there.answer.text).toContain("https://americas.example");
  });

  it("is asked each time under the policy always, and never under never (R-S18)", async () => {
    const { signOn, world } = scene();
    const always = await withApplication(signOn, world, { consent: ALWAYS });
    const { person, browser, answer, path } = await begin({}, always);
    expect(path).toMatch(/^\/auth\/consent/);
    expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
    expect((await browser.follow(authorizePath(person))).path).toMatch(/^\/auth\/consent/);
    const never = await withApplication(signOn, person, { consent: NEVER });
    expect(hasCode((await browser.follow(authorizePath(never))).left)).toBe(true);
    expect((await browser.follow(authorizePath(never, { prompt: "consent" }))).path).toMatch(/^\/auth\/consent/);
  });

  it.each([
    ["a loopback address", NATIVE, "http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", "http://127.0.0.1:51004"],
    ["a scheme of its own", NATIVE, "com.example.app:/cb", "com.example.app:/cb", "com.example.app:"],
    [
      "plain http on localhost",
      BROWSER,
      "http://localhost:3000/cb",
      "http://localhost:3000/cb",
      "http://localhost:3000",
    ],
  ])(
    "is asked each time of a public application with %s, whatever its policy (R-S18)",
    async (_, kind, uri, redirect_uri, target) => {
      const { signOn, world } = scene();
      const redirectUris = [{ uri, instanceId: world.instanceId }];
      const application = await withApplication(signOn, world, { kind, redirectUris, consent: NEVER });
      const { challenge } = newPkce();
      const parameters = { redirect_uri, code_challenge: challenge, code_challenge_method: "S256" };
      const { person, browser, answer, path } = await begin(parameters, application);
      expect(path).toMatch(/^\/auth\/consent/);
      expect(answer.headers.get("content-security-policy")).toContain(`form-action 'self' ${target};`);
      const { left } = await browser.submit(answer, approve);
      expect(left?.href).toContain(`${redirect_uri}?code=`);
      expect((await browser.follow(authorizePath(person, parameters))).path).toMatch(/^\/auth\/consent/);
      const silent = await browser.follow(authorizePath(person, { ...parameters, prompt: "none" }));
      expect(parametersOf(silent.left)).toMatchObject({ error: "consent_required" });
    },
  );

  it("is not asked of a public application with https and the policy never", async () => {
    const { signOn, world } = scene();
    const uri = "https://app.example/cb";
    const redirectUris = [{ uri, instanceId: world.instanceId }];
    const application = await withApplication(signOn, world, { kind: BROWSER, redirectUris, consent: NEVER });
    const { challenge } = newPkce();
    const parameters = { redirect_uri: uri, code_challenge: challenge, code_challenge_method: "S256" };
    expect(hasCode((await begin(parameters, application)).left)).toBe(true);
  });

  it("refuses the form when another person has signed in meanwhile: one person cannot approve for another", async () => {
    const { signOn, person, browser, answer, path } = await begin();
    const other = await withPerson(signOn, person, `other${people}@harbour.example`);
    signOn.clock.step(1);
    await signIn(browser, authorizePath(other, { prompt: "login" }), { email: other.email });
    for (const decision of ["approve", "deny"]) {
      const refused = await browser.submit(answer, { decision });
      expect(refused.answer.status).toBe(400);
      expect(refused.answer.text).toContain("We did not accept this form");
      expect(refused.answer.text).toContain("Somebody else has signed in in this browser since the page was shown.");
    }
    const shown = await browser.follow(path);
    expect(hasCode(shown.left)).toBe(true);
  });

  it("takes the form after the same person has entered the password again in another tab (R-X28)", async () => {
    const { signOn, person, browser, answer } = await begin();
    signOn.clock.step(1);
    const tab = await browser.follow(authorizePath(person, { prompt: "login" }));
    await browser.submit(tab.answer, { email: person.email, password: PASSWORD });
    expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
  });

  it("returns to the login page when the session has ended, and approves nothing", async () => {
    const { person, browser, answer } = await begin();
    browser.cookies.delete("gatehouse_session");
    const next = await browser.submit(answer, approve);
    expect(next.path).toMatch(/^\/auth\/login/);
    const again = await browser.submit(next.answer, { email: person.email, password: PASSWORD });
    expect(again.path).toMatch(/^\/auth\/consent/);
  });

  it("goes back to the login page when the session has ended at the server", async () => {
    const { signOn, person, browser, answer } = await begin();
    await signOn.signOn.setPassword({ personId: person.personId, password: "another horse, another battery" });
    const next = await browser.submit(answer, approve);
    expect(next.path).toMatch(/^\/auth\/login/);
  });

  it("asks for the password again when the page was open longer than max_age allows", async () => {
    const { signOn, person, browser, answer } = await begin();
    await browser.submit(answer, approve);
    signOn.clock.step(10_000);
    const page = await browser.follow(authorizePath(person, { max_age: "60", prompt: "consent" }));
    expect(page.path).toMatch(/^\/auth\/consent/);
    signOn.clock.step(60_000);
    expect((await browser.submit(page.answer, approve)).path).toMatch(/^\/auth\/login/);
  });

  it("answers access_denied when the seat was lost, or the person disabled, while the page was open (R-S7)", async () => {
    const lost = await begin();
    await lost.signOn.platform.deleteUser({ requestId: "", userId: lost.person.userId });
    expect(parametersOf((await lost.browser.submit(lost.answer, approve)).left)).toMatchObject({
      error: "access_denied",
    });
    const disabled = await begin();
    await disabled.signOn.disablePerson(disabled.person.personId);
    expect(parametersOf((await disabled.browser.submit(disabled.answer, approve)).left)).toMatchObject({
      error: "access_denied",
    });
  });

  it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
    const { browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...approve };
    const refused = await browser.open(path, { form, headers });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("We did not accept this form");
    expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
  });

  it("refuses a missing, empty, changed or stolen token, and the one of the login page (S10)", async () => {
    const { signOn, person, browser, answer, path } = await begin();
    const otherTab = await browser.follow(authorizePath(person));
    const attacker = await begin();
    const fresh = new Browser(signOn.url);
    const login = await fresh.follow(authorizePath(person));
    const ofLogin = tokenOf(login.answer);
    const own = tokenOf(answer);
    const tokens = ["", tokenOf(otherTab.answer), tokenOf(attacker.answer), ofLogin, own.slice(1), `${own}A`];
    const forms = [approve, ...tokens.map((form_token) => ({ form_token, ...approve }))];
    const answers: Answer[] = [];
    for (const form of forms) answers.push(await browser.open(path, { form }));
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(400));
    expect(answers.map(({ text }) => text.includes("We did not accept this form"))).toEqual(Array(7).fill(true));
    expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
  });

  it("refuses the form in another browser, though it has the address and the token", async () => {
    const { answer, path } = await begin();
    const other = await begin();
    const form = { form_token: tokenOf(answer), ...approve };
    const refused = await other.browser.open(path, { form });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("did not begin in this browser");
  });

  it.each([...NO_FORMS, ["another decision", 400, { form: { form_token: "x", decision: "yes" } }] as const])(
    "refuses %s with %d (S14)",
    async (_, status, init) => {
      const { browser, answer, path } = await begin();
      expect((await browser.open(path, { method: "POST", ...init })).status).toBe(status);
      expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
    },
  );

  it.each(["", "APPROVE", "approve ", "true", "1"])("takes %j for neither decision", async (decision) => {
    const { browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), decision };
    expect((await browser.open(path, { form })).status).toBe(400);
    expect(hasCode((await browser.submit(answer, approve)).left)).toBe(true);
  });

  it("approves nothing by its address (S15)", async () => {
    const { browser, answer, path } = await begin();
    const query = new URLSearchParams({ decision: "approve", form_token: tokenOf(answer), approved: "true" });
    const shown = await browser.open(`${path}&${query}`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("<form");
    const posted = await browser.open(`${path}&${query}`, { form: {} });
    expect(posted.status).toBe(400);
  });

  it("gives one code for a form that is sent twice at once", async () => {
    const { signOn, person, browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...approve };
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.open(path, { form })));
    const codes = answers
      .map(({ headers }) => headers.get("location"))
      .filter((location) => location?.includes("code="));
    expect(codes).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes("This sign-in has ended"))).toHaveLength(5);
    const stored = await signOn.db
      .selectFrom("sign_on_families")
      .select("number")
      .where("person_id", "=", person.personId)
      .execute();
    expect(stored).toHaveLength(1);
  });

  it("decides once between an approval and a refusal sent at once", async () => {
    const { browser, answer, path } = await begin();
    const send = (decision: string) => browser.open(path, { form: { form_token: tokenOf(answer), decision } });
    const answers = await Promise.all([send("approve"), send("deny")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
  });
});
