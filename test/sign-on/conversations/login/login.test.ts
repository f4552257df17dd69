import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, signIn, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { errorUriOf } from "../../../support/oauth-error.ts";
import { invitation, PASSWORD, present, type World } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";

const codeOf = (left: URL | undefined) => left?.searchParams.get("code") ?? null;

describeSignOn("POST /auth/login", (scene) => {
  let people = 0;
  async function begin(parameters?: Readonly<Record<string, string | undefined>>) {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `person${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    return { signOn, person, browser, ...(await browser.follow(authorizePath(person, parameters))) };
  }
  const rightWords = ({ email }: World) => ({ email, password: PASSWORD });

  it("goes on with 303, a session and no interaction any more (RFC 9700 §4.12)", async () => {
    const { person, browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...rightWords(person) };
    const next = await browser.open(path, { form });
    expect(next.status).toBe(303);
    expect(next.headers.get("location")).toMatch(/^\/auth\/consent\?interaction=/);
    expect(next.headers.get("cache-control")).toBe("no-store");
    expect(next.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(next.text).toBe("");
    const { answer: consent } = await browser.follow(next.headers.get("location") ?? "");
    const { left } = await browser.submit(consent, { decision: "approve" });
    expect(codeOf(left)).not.toBeNull();
    expect([...browser.cookies.keys()]).toEqual(["gatehouse_session"]);
  });

  it("has one answer for an unknown person, a wrong password, a disabled person and one without a password (R-S17, S16, R-X1)", async () => {
    const { signOn, person, browser, answer } = await begin();
    const disabled = await withPerson(signOn, person, "disabled@harbour.example");
    await signOn.disablePerson(disabled.personId);
    await signOn.platform.inviteUser(invitation(person.tenantId, "no-password@harbour.example"));
    const attempts = [
      { email: "nobody@harbour.example", password: PASSWORD },
      { email: person.email, password: "incorrect horse battery staple" },
      { email: person.email, password: "" },
      { email: disabled.email, password: PASSWORD },
      { email: "no-password@harbour.example", password: PASSWORD },
      { email: "no-password@harbour.example", password: "" },
      { email: "not an address", password: PASSWORD },
      { email: "", password: "" },
    ];
    const answers: Answer[] = [];
    for (const attempt of attempts) answers.push((await browser.submit(answer, attempt)).answer);
    const seen = answers.map(({ status, headers, text }, index) => ({
      status,
      headers: [...headers].filter(([name]) => !["date", "x-request-id", "content-length"].includes(name)),
      text: text
        .replace(`value="${attempts[index]?.email}"`, 'value="E-MAIL"')
        .replace(`<code>${answers[index]?.headers.get("x-request-id")}</code>`, "<code>REFERENCE</code>")
        .replaceAll("  autofocus", " ")
        .replaceAll("autofocus", ""),
    }));
    expect(answers[0]?.status).toBe(400);
    expect(answers[0]?.text).toContain("The e-mail address or the password is wrong.");
    expect(seen.slice(0, -1)).toEqual(Array(seen.length - 1).fill(seen[0]));
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(answers.map(({ text }) => text.includes(PASSWORD))).toEqual(Array(8).fill(false));
    const { path } = await browser.submit(answers[0] as Answer, rightWords(person));
    expect(path).toMatch(/^\/auth\/consent/);
  });

  it("compares e-mail addresses trimmed and without case, passwords as they are (R-D2)", async () => {
    const { person, browser, answer } = await begin();
    const spoilt = [` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toUpperCase(), `${PASSWORD}\n`];
    for (const password of spoilt) {
      expect((await browser.submit(answer, { email: person.email, password })).answer.status).toBe(400);
    }
    const email = `  ${person.email.toUpperCase()} `;
    expect((await browser.submit(answer, { email, password: PASSWORD })).path).toMatch(/^\/auth\/consent/);
  });

  it("takes a password however the keyboard composes it (NFKC)", async () => {
    const { signOn, person, browser, answer } = await begin();
    await signOn.signOn.setPassword({ personId: person.personId, password: "caf\u00e9 au lait, s'il vous pla\u00eet" });
    const typed = { email: person.email, password: "cafe\u0301 au lait, s'il vous plai\u0302t" };
    expect((await browser.submit(answer, typed)).path).toMatch(/^\/auth\/consent/);
  });

  it("shows what was entered as text, never the password, and logs neither (S50)", async () => {
    const { signOn, browser, answer } = await begin();
    const email = '"><script>alert("canary")</script>';
    const { answer: page } = await browser.submit(answer, { email, password: "canary-password" });
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;alert(&quot;canary&quot;)&lt;/script&gt;"');
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/gatehouse-)|canary-password/);
    expect(JSON.stringify(signOn.log.lines)).not.toContain("canary");
  });

  it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
    const { person, browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...rightWords(person) };
    const refused = await browser.open(path, { form, headers });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("We did not accept this form");
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await browser.submit(answer, rightWords(person))).path).toMatch(/^\/auth\/consent/);
  });

  it.each([
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin", origin: "ISSUER" },
    { origin: "ISSUER" },
  ])("takes a form with %j", async (given) => {
    const { signOn, person, browser, answer, path } = await begin();
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace("ISSUER", signOn.issuer)]),
    );
    const form = { form_token: tokenOf(answer), ...rightWords(person) };
    expect((await browser.open(path, { form, headers })).status).toBe(303);
  });

  it("refuses a missing, empty, changed or stolen token: signing a person in as another one is an attack, too (S10)", async () => {
    const { signOn, person, browser, answer, path } = await begin();
    const attacker = new Browser(signOn.url);
    const stolen = tokenOf((await attacker.follow(authorizePath(person))).answer);
    const otherTab = tokenOf((await browser.follow(authorizePath(person))).answer);
    const own = tokenOf(answer);
    const forms = [
      rightWords(person),
      ...["", stolen, otherTab, own.slice(0, -1), `${own}A`, own.toLowerCase(), path.split("=")[1] ?? ""].map(
        (form_token) => ({
          form_token,
          ...rightWords(person),
        }),
      ),
    ];
    const answers: Answer[] = [];
    for (const form of forms) answers.push(await browser.open(path, { form }));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(400));
    expect(answers.map(({ text }) => text.includes("We did not accept this form"))).toEqual(Array(8).fill(true));
    expect(browser.cookies.has("gatehouse_session")).toBe(false);
    expect((await browser.submit(answer, rightWords(person))).path).toMatch(/^\/auth\/consent/);
  });

  it("refuses the whole form of another browser: its cookie is missing there", async () => {
    const { signOn, person, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...rightWords(person) };
    const victim = new Browser(signOn.url);
    const refused = await victim.open(path, { form });
    expect(refused.text).toContain("did not begin in this browser");
    expect(victim.cookies.size).toBe(0);
  });

  it.each(NO_FORMS)("refuses %s with %d (S14)", async (_, status, init) => {
    const { person, browser, answer, path } = await begin();
    const refused = await browser.open(path, { method: "POST", ...init });
    expect(refused.status).toBe(status);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await browser.submit(answer, rightWords(person))).path).toMatch(/^\/auth\/consent/);
  });

  it.each([
    ["an address of 321 characters", { email: "a".repeat(321) }],
    ["a password of 1025 characters", { password: "a".repeat(1_025) }],
    ["a token of 129 characters", { form_token: "a".repeat(129) }],
  ])("refuses %s", async (_, more) => {
    const { person, browser, answer, path } = await begin();
    const form = { form_token: tokenOf(answer), ...rightWords(person), ...more };
    expect((await browser.open(path, { form })).status).toBe(400);
    expect(browser.cookies.has("gatehouse_session")).toBe(false);
  });

  it("takes a password of 1024 characters, also of four bytes each", async () => {
    const { signOn, person, browser, answer } = await begin();
    const password = Array.from({ length: 1_024 }, (_, index) => String.fromCodePoint(0x20000 + index)).join("");
    await signOn.signOn.setPassword({ personId: person.personId, password });
    expect((await browser.submit(answer, { email: person.email, password })).path).toMatch(/^\/auth\/consent/);
  });

  it("takes only e-mail and password from the browser: the rest is what was asked at first (S6)", async () => {
    const { signOn, person, browser, answer, path } = await begin({ scope: "openid", state: "asked" });
    const other = await withApplication(signOn, person);
    const smuggled = {
      client_id: other.application.id,
      redirect_uri: "https://evil.example",
      scope: "openid profile email offline_access",
      state: "smuggled",
      nonce: "smuggled",
      person_id: "person_AAAAAAAAAAAAAAAAAAAAA",
      decision: "approve",
    };
    const form = { form_token: tokenOf(answer), ...rightWords(person), ...smuggled };
    const next = await browser.follow(`${path}&${new URLSearchParams(smuggled)}`, { form });
    expect(next.path).toMatch(/^\/auth\/consent\?interaction=\w{22}$/);
    expect(next.answer.text).not.toMatch(/e-mail address and whether|stay connected/);
    const { left } = await browser.submit(next.answer, { decision: "approve" });
    expect(left?.origin).toBe("http://localhost:9");
    expect(left?.searchParams.get("state")).toBe("asked");
  });

  it("changes the session's id; the one before is worthless, at the server too (S12)", async () => {
    const { signOn, person, browser } = await begin();
    await signIn(browser, authorizePath(person), { email: person.email });
    const before = browser.cookies.get("gatehouse_session") ?? "";
    signOn.clock.step(1);
    await signIn(browser, authorizePath(person, { prompt: "login" }), { email: person.email });
    const after = browser.cookies.get("gatehouse_session") ?? "";
    expect(after).not.toBe(before);
    const opened = async (secret: string) => {
      const cookie = `gatehouse_session=${secret}`;
      return (await call(signOn.url, authorizePath(person), { headers: { cookie } })).headers.get("location");
    };
    expect(await opened(before)).toMatch(/^\/auth\/login/);
    expect(await opened(after)).toContain("code=");
  });

  it("gives a planted session nothing: neither an invented one nor the attacker's own (S12)", async () => {
    const { signOn, person, browser, answer } = await begin();
    const mallory = await withPerson(signOn, person, `mallory${people}@harbour.example`);
    const attacker = new Browser(signOn.url);
    await signIn(attacker, authorizePath(mallory), { email: mallory.email });
    const planted = attacker.cookies.get("gatehouse_session") ?? "";
    browser.cookies.set("gatehouse_session", planted);
    await browser.submit(answer, rightWords(person));
    expect(browser.cookies.get("gatehouse_session")).not.toBe(planted);
    const open = async () => (await attacker.open(authorizePath(mallory))).headers.get("location");
    expect(await open()).toMatch(/^\/auth\/login/);
    const invented = new Browser(signOn.url);
    invented.cookies.set("gatehouse_session", "A".repeat(43));
    await signIn(invented, authorizePath(person), { email: person.email });
    expect(invented.cookies.get("gatehouse_session")).not.toBe("A".repeat(43));
    const stale = await call(signOn.url, authorizePath(person), {
      headers: { cookie: `gatehouse_session=${"A".repeat(43)}` },
    });
    expect(stale.headers.get("location")).toMatch(/^\/auth\/login/);
  });

  it("replaces the session of the person who was signed in before", async () => {
    const { signOn, person, browser } = await begin();
    await signIn(browser, authorizePath(person), { email: person.email });
    signOn.clock.step(1);
    const other = await withPerson(signOn, person, `other${people}@harbour.example`);
    const step = await browser.follow(authorizePath(other, { prompt: "login" }));
    const { answer } = await browser.submit(step.answer, rightWords(other));
    expect(answer.text).toContain(other.email);
    expect(answer.text).not.toContain(person.email);
  });

  it("answers access_denied to a person without a usable seat, after the right password only (R-S7, S19)", async () => {
    const { signOn, person, browser, answer } = await begin();
    await signOn.platform.deleteUser({ requestId: "", userId: person.userId });
    const wrong = await browser.submit(answer, { email: person.email, password: "incorrect horse battery staple" });
    expect(wrong.answer.status).toBe(400);
    const { left } = await browser.submit(answer, rightWords(person));
    expect(Object.fromEntries(left?.searchParams ?? [])).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      error_uri: errorUriOf("access_denied"),
      state: "st-4711",
      iss: signOn.issuer,
    });
  });

  it("lets a worker without a user sign in (R-S7)", async () => {
    const { signOn, person } = await begin();
    const { worker } = await signOn.platform.onboardWorker({
      requestId: "",
      tenantId: person.tenantId,
      email: "worker@harbour.example",
      firstName: "Tomas",
      lastName: "Lindqvist",
      jobTitles: [],
      address: null,
      unitIds: [],
      emailVerified: false,
    });
    const personId = present(present(worker).person).id;
    await signOn.signOn.setPassword({ personId, password: PASSWORD });
    const left = await signIn(new Browser(signOn.url), authorizePath(person), { email: "worker@harbour.example" });
    expect(codeOf(left)).not.toBeNull();
  });

  it("is over after a code: going back shows a page, sending again gives no second code", async () => {
    const { person, browser, answer, path } = await begin();
    const consent = await browser.submit(answer, rightWords(person));
    await browser.submit(consent.answer, { decision: "approve" });
    const back = [
      await browser.open(path),
      await browser.open(consent.path),
      (await browser.submit(answer, rightWords(person))).answer,
      (await browser.submit(consent.answer, { decision: "approve" })).answer,
    ];
    expect(back.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    // The cookie went with the sign-in, and a page of a sign-in that has ended says so first.
    expect(back.map(({ text }) => text.includes("This sign-in has ended"))).toEqual([true, true, true, true]);
  });

  it("keeps the person signed in whose form was sent twice: the page that comes last brings its session (R-X160)", async () => {
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world, { consent: ConsentPolicy.NEVER });
    const person = await withPerson(signOn, application, "twice@harbour.example");
    const browser = new Browser(signOn.url);
    const { answer, path } = await browser.follow(authorizePath(person));
    const { cookie } = browser;
    const send = () =>
      call(signOn.url, path, { form: { form_token: tokenOf(answer), ...rightWords(person) }, headers: { cookie } });
    // A browser that does not run the script drops the answer of one press when the next one goes out.
    const dropped: Answer[] = [];
    signOn.holdWorkforce("/FindPerson", async () => void dropped.push(await send()));
    const last = await send();
    expect([...dropped, last].map(({ status }) => status)).toEqual([303, 400]);
    expect(last.text).toContain("This sign-in has ended");
    const session = last.headers.getSetCookie().find((line) => line.startsWith("gatehouse_session="));
    const again = await call(signOn.url, authorizePath(person, { prompt: "none" }), {
      headers: { cookie: session?.split(";")[0] ?? "" },
    });
    expect(codeOf(new URL(again.headers.get("location") ?? ""))).not.toBeNull();
  });

  it("ends every session and sign-in of the old password when another is set (R-S20)", async () => {
    const { signOn, person, browser, answer } = await begin();
    const left = await signIn(browser, authorizePath(person), { email: person.email });
    await signOn.signOn.setPassword({ personId: person.personId, password: "another horse, another battery" });
    expect((await browser.open(authorizePath(person))).headers.get("location")).toMatch(/^\/auth\/login/);
    expect((await browser.submit(answer, rightWords(person))).answer.status).toBe(400);
    const spent = await call(signOn.url, "/auth/token", {
      form: {
        grant_type: "authorization_code",
        code: codeOf(left) ?? "",
        redirect_uri: "http://localhost:9/callback",
        client_id: person.application.id,
        client_secret: person.application.secret,
      },
    });
    expect(spent.json()).toMatchObject({ error: "invalid_grant" });
  });
});
