import { assets } from "#runtime/pages/assets.ts";
import { authorizePath, Browser, signIn, tokenOf } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";

const codeOf = (left: URL | undefined) => left?.searchParams.get("code") ?? null;

describeSignOn("GET /auth/login", (scene) => {
  it("is a plain form that names the application, with strict headers (S9, S11, R-S17)", async () => {
    const { signOn, world } = scene();
    const { answer, path } = await new Browser(signOn.url).follow(authorizePath(world));
    expect(answer.status).toBe(200);
    expect(path).toMatch(/^\/auth\/login\?interaction=[A-Za-z0-9]{22}$/);
    expect(answer.text).toContain("Marigold");
    expect(answer.text).toContain(`<form method="post" action="${path}">`);
    expect(tokenOf(answer)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(answer.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'self'; script-src ${signOn.issuer}${assets.script.href}; img-src 'self'; base-uri 'none'; form-action 'self' http://localhost:9; frame-ancestors 'none'`,
    );
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
  });

  it("loads nothing from elsewhere, runs no script but the pages' own, and has nothing of the request in it (S9)", async () => {
    const { signOn, world } = scene();
    const secrets = { state: "canary-state", nonce: "canary-nonce" };
    const { answer } = await new Browser(signOn.url).follow(authorizePath(world, secrets));
    const addresses = [...answer.text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith("/") || address.startsWith("//"))).toEqual([]);
    expect(answer.text).not.toMatch(/<script(?! src="\/assets\/gatehouse-)|canary|javascript:/i);
  });

  it.each([
    ["is unknown", "?interaction=AAAAAAAAAAAAAAAAAAAAAA"],
    ["is missing", ""],
    ["is empty", "?interaction="],
    ["is sent twice", "?interaction=AAAAAAAAAAAAAAAAAAAAAA&interaction=AAAAAAAAAAAAAAAAAAAAAA"],
    ["is too long", `?interaction=${"A".repeat(65)}`],
    ["is hostile", "?interaction='%20or%201=1--"],
    ["is markup", "?interaction=%3Cscript%3E"],
    ["has a NUL", "?interaction=%00"],
    ["is malformed", "?interaction=%zz"],
  ])("says that the sign-in has ended when its name %s", async (_, query) => {
    const { signOn } = scene();
    const pages = [await call(signOn.url, `/auth/login${query}`), await call(signOn.url, `/auth/consent${query}`)];
    expect(pages.map(({ status }) => status)).toEqual([400, 400]);
    expect(pages.map(({ text }) => text.includes("This sign-in has ended"))).toEqual([true, true]);
    expect(pages.map(({ text }) => /<form|<script|1=1|Start again/.test(text))).toEqual([false, false]);
  });

  it("says so in another browser, however it got the address", async () => {
    const { signOn, world } = scene();
    const path = (await new Browser(signOn.url).follow(authorizePath(world))).path;
    const other = new Browser(signOn.url);
    await other.follow(authorizePath(world));
    const cookie = `gatehouse_interaction_${path.split("=")[1]}`;
    const planted = new Browser(signOn.url);
    planted.cookies.set(cookie, "A".repeat(43));
    const twice = { cookie: `${cookie}=a; ${cookie}=b` };
    const pages = [
      await call(signOn.url, path),
      await other.open(path),
      await planted.open(path),
      await call(signOn.url, path, { headers: twice }),
    ];
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(pages.map(({ text }) => text.includes("did not begin in this browser"))).toEqual([true, true, true, true]);
    expect(pages.map(({ text }) => text.includes("<form"))).toEqual([false, false, false, false]);
    const beginning = 'href="http://localhost:9">Start again at';
    expect(pages.map(({ text }) => text.includes(beginning))).toEqual([true, true, true, true]);
  });

  it("goes on at once when the person has signed in meanwhile, in another tab", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "tabs@harbour.example");
    const browser = new Browser(signOn.url);
    const waiting = await browser.follow(authorizePath(person, { state: "first" }));
    await signIn(browser, authorizePath(person, { state: "second" }), { email: person.email });
    const { left } = await browser.follow(waiting.path);
    expect(codeOf(left)).not.toBeNull();
    expect(left?.searchParams.get("state")).toBe("first");
  });

  it("waits an hour in all for a person who has entered the password (R-X154)", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "slow.consent@harbour.example");
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(person));
    const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
    signOn.clock.step(3_600_000 - 1);
    expect((await browser.open(consent.path)).text).toContain('name="decision"');
    signOn.clock.step(1);
    expect((await browser.open(consent.path)).text).toContain("This sign-in has ended");
  });

  it("ends after twenty minutes without a password (R-X154)", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const { path, answer } = await browser.follow(authorizePath(world));
    signOn.clock.step(1_200_000 - 1);
    expect((await browser.open(path)).status).toBe(200);
    signOn.clock.step(1);
    expect((await browser.open(path)).text).toContain("This sign-in has ended");
    expect((await browser.open(path)).text).toContain(
      'href="http://localhost:9">Start again at <bdi>localhost:9</bdi>',
    );
    const late = await browser.submit(answer, { email: world.email, password: PASSWORD });
    expect(late.answer.text).toContain("This sign-in has ended");
    expect(browser.cookies.has("gatehouse_session")).toBe(false);
  });
});
