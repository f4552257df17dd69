import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn, tokenOf } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, type SignOn, withPerson } from "../../sign-on-fixture.ts";
import { choose, invited, linkFor, NEW_PASSWORD } from "./set-password-kit.ts";

const DAY_MS = 24 * 3_600_000;

describeSignOn("/auth/set-password (R-S19)", (scene) => {
  let people = 0;
  const somebody = () => {
    const { signOn, world } = scene();
    return withPerson(signOn, world, `somebody${++people}@harbour.example`);
  };
  const nobodyYet = () => {
    const { signOn, world } = scene();
    return invited(signOn, world, `invited${++people}@harbour.example`);
  };
  const canSignIn = async (email: string, password: string) => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const { answer } = await browser.follow(authorizePath(world));
    const { path, left } = await browser.submit(answer, { email, password });
    return left !== undefined || path.startsWith("/auth/consent");
  };

  it("shows a form that no cache stores and that sends no referrer; viewing it does not spend the link (S9, S18, R-X98)", async () => {
    const { signOn } = scene();
    const person = await nobodyYet();
    const { path } = await linkFor(signOn, person.personId, "invitation");
    for (const _ of [1, 2, 3]) {
      const page = await call(signOn.url, path);
      expect(page.status).toBe(200);
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self';");
      expect(page.headers.getSetCookie()).toEqual([]);
      expect(page.text).toContain("Choose a password");
      expect(page.text).toContain(`value="${person.email}"`);
    }
    const head = await call(signOn.url, path, { method: "HEAD", contract: "unchecked" });
    expect(head.status).toBeLessThan(500);
    expect((await choose(signOn, path)).answer.status).toBe(200);
  });

  it("sets the first password of an invited person, who then signs in with it, and by no cookie of this page (R-X98)", async () => {
    const { signOn } = scene();
    const person = await nobodyYet();
    expect(await canSignIn(person.email, NEW_PASSWORD)).toBe(false);
    const { browser, answer } = await choose(signOn, (await linkFor(signOn, person.personId, "invitation")).path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Your password is set");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect([...browser.cookies]).toEqual([]);
    expect(await canSignIn(person.email, NEW_PASSWORD)).toBe(true);
  });

  it("signs another person out of the browser in which it is set, so that the next sign-in there is its person's (R-X409)", async () => {
    const { signOn } = scene();
    const [before, person] = [await somebody(), await somebody()];
    const browser = new Browser(signOn.url);
    const left = await signIn(browser, authorizePath(before), { email: before.email });
    const { access_token } = (await redeem(signOn.url, before, left.searchParams.get("code") ?? "")).json<{
      access_token: string;
    }>();
    const copy = new Browser(signOn.url);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const silent = async (of = browser) => {
      const { left } = await of.follow(authorizePath(before, { prompt: "none" }));
      return [left?.searchParams.has("code"), left?.searchParams.get("error")];
    };
    const userinfo = async () =>
      (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).status;
    expect(await silent()).toEqual([true, null]);
    const { path } = await linkFor(signOn, person.personId);
    const page = await browser.open(path);
    const refused = await browser.submit(page, { password: NEW_PASSWORD, password_again: "another" });
    expect(refused.answer.status).toBe(400);
    expect([await silent(), await userinfo()]).toEqual([[true, null], 200]);

    const { answer } = await browser.submit(page, { password: NEW_PASSWORD, password_again: NEW_PASSWORD });
    expect(answer.text).toContain("Your password is set");
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/session=; .*Max-Age=0/)]);
    const over = [false, "login_required"];
    expect([await silent(), await silent(copy), await userinfo()]).toEqual([over, over, 401]);
    const account = await browser.follow("/auth/account");
    expect(account.answer.text).toContain('<input id="email"');
    const ended = { object: before.personId, action: "session.end" };
    const entries = await auditEntries(signOn.opened.store, ["actor", "object", "facts"], ended);
    const facts = JSON.stringify({ because: "another person set a password", application: null });
    expect(entries).toEqual([{ actor: person.personId, object: before.personId, facts }]);
  });

  it("sets another password; sessions, unspent codes and token families of the old one are over (R-S20, RFC 9700 statement 25)", async () => {
    const { signOn } = scene();
    const person = await somebody();
    const elsewhere = new Browser(signOn.url);
    const left = await signIn(elsewhere, authorizePath(person), { email: person.email });
    const tokens = (await redeem(signOn.url, person, left.searchParams.get("code") ?? "")).json<{
      access_token: string;
    }>();
    const unspent = await obtainCode(signOn.url, person);
    const userinfo = () =>
      call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect((await userinfo()).status).toBe(200);

    const { path } = await linkFor(signOn, person.personId);
    expect((await choose(signOn, path)).page.text).toContain("Choose a new password");
    expect((await userinfo()).status).toBe(401);
    expect((await redeem(signOn.url, person, unspent)).json()).toMatchObject({ error: "invalid_grant" });
    const silent = await elsewhere.follow(authorizePath(person, { prompt: "none" }));
    expect(silent.left?.searchParams.get("error")).toBe("login_required");
    expect(await canSignIn(person.email, PASSWORD)).toBe(false);
    expect(await canSignIn(person.email, NEW_PASSWORD)).toBe(true);
  });

  it("takes a password however the keyboard composes it (NFKC)", async () => {
    const { signOn } = scene();
    const person = await somebody();
    await choose(signOn, (await linkFor(signOn, person.personId)).path, "caf\u00e9 au lait, s'il vous pla\u00eet");
    expect(await canSignIn(person.email, "cafe\u0301 au lait, s'il vous plai\u0302t")).toBe(true);
  });

  it.each([
    ["14 characters", "quiet heron 14", "This password is too short. Use at least 15 characters."],
    ["1,025 characters", `${"quiet herons ".repeat(78)}at dawn now`, "This password is too long. Use at most 1,024"],
    ["a whole page", "quiet herons ".repeat(2_000), "This password is too long. Use at most 1,024"],
    ["a piece repeated", "heronheronheron", "This password repeats itself"],
    ["a common one", "liverpool123456", "This password is too common"],
    ["the person's own name", "Tomas-Berg-2026", "This password is mostly your name"],
  ])("refuses %s by the name of the rule, and the link stays good (R-X15, R-X95)", async (_, password, sentence) => {
    const { signOn } = scene();
    const person = await somebody();
    const { path } = await linkFor(signOn, person.personId);
    const { answer } = await choose(signOn, path, password);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
    expect(answer.text).not.toContain(password);
    expect((await choose(signOn, path)).answer.status).toBe(200);
  });

  it("refuses two entries that differ", async () => {
    const { signOn } = scene();
    const { path } = await linkFor(signOn, (await somebody()).personId);
    const { answer } = await choose(signOn, path, NEW_PASSWORD, `${NEW_PASSWORD} `);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("The two passwords are not the same.")]);
  });

  describe("names the reason why a link is invalid to every visitor", () => {
    const expectGone = async (path: string, title: string) => {
      const { signOn } = scene();
      const shown = await call(signOn.url, path);
      const sent = await call(signOn.url, path, {
        form: { form_token: "x", password: NEW_PASSWORD, password_again: NEW_PASSWORD },
      });
      for (const answer of [shown, sent]) {
        expect(answer.status).toBe(400);
        expect(answer.text).toContain(title);
        expect(answer.text).toMatch(/new one|new link/);
        expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      }
    };

    it("unknown", () => expectGone("/auth/set-password?token=Zk3vQ9xT2bW7mL5cN8sRfG", "This link is not valid"));

    it("used", async () => {
      const { signOn } = scene();
      const { path } = await linkFor(signOn, (await somebody()).personId);
      await choose(signOn, path);
      await expectGone(path, "This link has been used");
    });

    it("used, and leads to the sign-in even where another person is signed in (R-X205)", async () => {
      const { signOn } = scene();
      const [before, person] = [await somebody(), await somebody()];
      const { path } = await linkFor(signOn, person.personId);
      await choose(signOn, path);
      const browser = new Browser(signOn.url);
      await signIn(browser, authorizePath(before), { email: before.email });
      const gone = await browser.open(path);
      const link = /<a class="button primary" href="([^"]*)">Sign in to your account</.exec(gone.text)?.[1];
      const page = await browser.follow(link ?? "");
      expect(page.answer.text).toContain('<input id="email"');
      const account = async () => (await browser.follow("/auth/account")).answer.text.replace(/<[^>]*>/g, "");
      expect(await account()).toContain(before.email);
      await browser.submit(page.answer, { email: person.email, password: NEW_PASSWORD });
      expect(await account()).toContain(person.email);
    });

    it("replaced by a newer one, whatever either is for (R-X96)", async () => {
      const { signOn } = scene();
      const person = await nobodyYet();
      const { path } = await linkFor(signOn, person.personId, "invitation");
      const newer = await linkFor(signOn, person.personId, "reset");
      await expectGone(path, "This link is no longer valid");
      expect((await choose(signOn, newer.path)).answer.status).toBe(200);
    });

    it("overtaken by another password (S18)", async () => {
      const { signOn } = scene();
      const person = await somebody();
      const { path } = await linkFor(signOn, person.personId);
      await signOn.signOn.setPassword({ personId: person.personId, password: PASSWORD });
      await expectGone(path, "This link is no longer valid");
    });

    it("of a person who is disabled, or was meanwhile (R-X93)", async () => {
      const { signOn } = scene();
      const person = await somebody();
      const { path } = await linkFor(signOn, person.personId);
      const request = { requestId: "", personId: person.personId };
      await signOn.platform.disablePerson(request);
      await expectGone(path, "This link is no longer valid");
      signOn.clock.step(1_000);
      await signOn.platform.enablePerson(request);
      await expectGone(path, "This link is no longer valid");
      expect((await choose(signOn, (await linkFor(signOn, person.personId)).path)).answer.status).toBe(200);
    });

    it("obtained for another address, which it must not confirm (R-S8)", async () => {
      const { signOn } = scene();
      const person = await nobodyYet();
      const { path } = await linkFor(signOn, person.personId, "invitation");
      signOn.clock.step(1_000);
      await signOn.platform.updatePerson({
        requestId: "",
        personId: person.personId,
        updateMask: ["email"],
        email: `moved.${person.email}`,
        firstName: null,
        lastName: null,
        emailVerified: false,
      });
      await expectGone(path, "This link is no longer valid");
    });

    it("seven days old", async () => {
      const { signOn } = scene();
      const person = await somebody();
      const { path } = await linkFor(signOn, person.personId);
      signOn.clock.step(7 * DAY_MS - 1);
      expect((await call(signOn.url, path)).status).toBe(200);
      signOn.clock.step(1);
      await expectGone(path, "This link has expired");
    });
  });

  it.each([
    ["missing", "/auth/set-password"],
    ["empty", "/auth/set-password?token="],
    ["twice", "/auth/set-password?token=TOKEN&token=TOKEN"],
    ["too long", `/auth/set-password?token=TOKEN${"x".repeat(120)}`],
    ["far too long", `/auth/set-password?token=${"x".repeat(6_000)}`],
    ["cut off", "/auth/set-password?token=TOKEN", (token: string) => token.slice(0, -1)],
    ["with NUL", "/auth/set-password?token=TOKEN%00"],
    ["with a line break", "/auth/set-password?token=TOKEN%0d%0aset-cookie:%20x=y"],
    ["with malformed encoding", "/auth/set-password?token=TOKEN%zz"],
    ["with bytes that are no UTF-8", "/auth/set-password?token=TOKEN%ff"],
    ["with four-byte characters", "/auth/set-password?token=%F0%9F%99%82"],
    ["under another name", "/auth/set-password?Token=TOKEN"],
    ["with markup", "/auth/set-password?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"],
  ])("takes a token that is %s for no link, in the address of page and form", async (_, given, spoil = String) => {
    const { signOn } = scene();
    const { path, token } = await linkFor(signOn, (await somebody()).personId);
    const page = await call(signOn.url, path);
    const spoilt = given.replaceAll("TOKEN", (spoil as (token: string) => string)(token));
    const form = { form_token: tokenOf(page), password: NEW_PASSWORD, password_again: NEW_PASSWORD };
    for (const answer of [await call(signOn.url, spoilt), await call(signOn.url, spoilt, { form })]) {
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("This link is not valid");
      expect(answer.text).not.toContain("<script>");
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await choose(signOn, path)).answer.status).toBe(200);
  });

  it("takes no token out of a body", async () => {
    const { signOn } = scene();
    const { path, token } = await linkFor(signOn, (await somebody()).personId);
    const page = await call(signOn.url, path);
    const form = { form_token: tokenOf(page), token, password: NEW_PASSWORD, password_again: NEW_PASSWORD };
    const answer = await call(signOn.url, "/auth/set-password", { form });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("This link is not valid")]);
    expect((await choose(signOn, path)).answer.status).toBe(200);
  });

  // A frame without an origin looks like our own page, which sends no referrer (R-X94).
  it.each(FOREIGN_HEADERS.filter(([title]) => title !== "from a frame without an origin"))(
    "refuses a form %s, though its token is right (S10)",
    async (_, headers) => {
      const { signOn } = scene();
      const { path } = await linkFor(signOn, (await somebody()).personId);
      const page = await call(signOn.url, path);
      const form = { form_token: tokenOf(page), password: NEW_PASSWORD, password_again: NEW_PASSWORD };
      const refused = await call(signOn.url, path, { form, headers });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("We did not accept this form");
      expect(refused.text).toContain("No password was set. Open the link in the message again.");
      expect((await choose(signOn, path)).answer.status).toBe(200);
    },
  );

  it.each([{ "sec-fetch-site": "same-origin", origin: "null" }, { origin: "null" }])(
    "accepts the form of a page that sends no referrer: %j (R-X94)",
    async (headers) => {
      const { signOn } = scene();
      const { path } = await linkFor(signOn, (await somebody()).personId);
      const page = await call(signOn.url, path);
      const form = { form_token: tokenOf(page), password: NEW_PASSWORD, password_again: NEW_PASSWORD };
      expect((await call(signOn.url, path, { form, headers })).status).toBe(200);
    },
  );

  it("refuses a missing, empty or foreign form token (S10)", async () => {
    const { signOn } = scene();
    const { path } = await linkFor(signOn, (await somebody()).personId);
    const other = await call(signOn.url, (await linkFor(signOn, (await somebody()).personId)).path);
    const words = { password: NEW_PASSWORD, password_again: NEW_PASSWORD };
    for (const [more, check] of [
      [{}, "page.malformed"],
      [{ form_token: "" }, "form.refused"],
      [{ form_token: "x" }, "form.refused"],
      [{ form_token: tokenOf(other) }, "form.refused"],
    ] as const) {
      const refused = await call(signOn.url, path, { form: { ...words, ...more } });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("We did not accept this form")]);
      const requestId = refused.headers.get("x-request-id") ?? "";
      expect(await signOn.inspection.explainRefusal({ requestId })).toMatchObject({ check });
    }
    expect((await choose(signOn, path)).answer.status).toBe(200);
  });

  it.each<[string, string, (signOn: SignOn, personId: string) => Promise<unknown>]>([
    [
      "the person's address changes",
      "This link is no longer valid",
      (signOn, personId) =>
        signOn.platform.updatePerson({
          ...{ requestId: "", personId, updateMask: ["email"], email: `moved.${personId.slice(-8)}@harbour.example` },
          ...{ firstName: null, lastName: null, emailVerified: false },
        }),
    ],
    ["its time ends", "This link has expired", async (signOn) => signOn.clock.step(7 * DAY_MS)],
  ])("sets nothing when %s while the form is read", async (_, title, change) => {
    const { signOn } = scene();
    const person = await somebody();
    const { path } = await linkFor(signOn, person.personId);
    signOn.holdWorkforce("/ConfirmEmail", async () => void (await change(signOn, person.personId)));
    const { answer } = await choose(signOn, path);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(title)]);
    const set = { actor: person.personId, action: "password.set" };
    expect(await auditEntries(signOn.opened.store, ["action"], set)).toEqual([]);
  });

  it.each(NO_FORMS)("refuses %s (S14, R-X27)", async (_, status, init) => {
    const { signOn } = scene();
    const { path } = await linkFor(signOn, (await somebody()).personId);
    expect((await call(signOn.url, path, { method: "POST", ...init })).status).toBe(status);
    expect((await call(signOn.url, path)).status).toBe(200);
  });

  it("writes neither token nor password into a log (S50)", async () => {
    const { signOn } = scene();
    const { path, token } = await linkFor(signOn, (await somebody()).personId);
    await choose(signOn, path, "canary-pass");
    await choose(signOn, path, "canary-password that is long enough");
    const lines = JSON.stringify(signOn.log.lines);
    expect(lines).not.toContain(token);
    expect(lines).not.toContain("canary-pass");
  });
});

describeSignOn(
  "a password link of an installation behind another name",
  (scene) => {
    it("is of the configured issuer, whatever a request calls us (S18, S36)", async () => {
      const { signOn, world } = scene();
      const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
      const { link, path } = await linkFor(signOn, world.personId);
      expect(link).toMatch(/^https:\/\/sign-on\.example\/auth\/set-password\?token=[A-Za-z0-9_-]{43}$/);
      const page = await call(signOn.url, path, { headers });
      expect(page.text).toContain(`action="${path}"`);
      expect(page.text).not.toContain("evil.example");
    });
  },
  { issuer: "https://sign-on.example" },
);

describeSignOn("the claim email_verified (R-S8)", (scene) => {
  const claims = async (email: string, password: string) => {
    const { signOn, world } = scene();
    const left = await signIn(new Browser(signOn.url), authorizePath(world), { email, password });
    const { access_token, id_token } = (await redeem(signOn.url, world, left.searchParams.get("code") ?? "")).json<{
      access_token: string;
      id_token: string;
    }>();
    const userinfo = await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } });
    const idToken = JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString());
    return [idToken.email_verified, userinfo.json<{ email_verified: boolean }>().email_verified];
  };
  const change = (personId: string, email: string) =>
    scene().signOn.platform.updatePerson({
      requestId: "",
      personId,
      updateMask: ["email"],
      email,
      firstName: null,
      lastName: null,
      emailVerified: false,
    });

  it("is false until a link obtained for the address was used, then true, and false again after a change of the address", async () => {
    const { signOn, world } = scene();
    const person = await invited(signOn, world, "new@harbour.example");
    await signOn.signOn.setPassword({ personId: person.personId, password: PASSWORD });
    expect(await claims("new@harbour.example", PASSWORD)).toEqual([false, false]);

    const { path } = await linkFor(signOn, person.personId);
    await call(signOn.url, path);
    await choose(signOn, path, "too short");
    expect(await claims("new@harbour.example", PASSWORD)).toEqual([false, false]);
    await choose(signOn, path);
    expect(await claims("new@harbour.example", NEW_PASSWORD)).toEqual([true, true]);

    signOn.clock.step(1_000);
    await change(person.personId, "newer@harbour.example");
    expect(await claims("newer@harbour.example", NEW_PASSWORD)).toEqual([false, false]);
    signOn.clock.step(1_000);
    await choose(signOn, (await linkFor(signOn, person.personId)).path, PASSWORD);
    expect(await claims("newer@harbour.example", PASSWORD)).toEqual([true, true]);
  });
});
