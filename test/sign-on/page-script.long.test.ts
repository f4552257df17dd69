import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { assets } from "#runtime/pages/assets.ts";
import { pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import { de } from "../../src/sign-on/texts/de.ts";
import { en, type Texts } from "../../src/sign-on/texts/en.ts";
import { describeChromium, launchChromium } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { samplePages } from "./sample-pages.ts";

const ORIGIN = "https://gatehouse.test";
/** Another script of the same origin, as the documentation has. */
const OTHER = "/assets/other-0123456789ab.js";

describeChromium("the script of the sign-on pages (R-X204)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** One page as a browser shows it, with what its console complains about. */
  async function opened(markup: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ timezoneId: "Europe/Berlin", ...options });
    const page = await context.newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await page.route(`${ORIGIN}/**`, (route) => {
      const path = route.request().url().slice(ORIGIN.length);
      const asset = Object.values(assets).find(({ href }) => href === path);
      if (asset !== undefined) return route.fulfill({ contentType: asset.mediaType, body: asset.body });
      if (path === OTHER) return route.fulfill({ contentType: "text/javascript", body: "document.title = 'other'" });
      const headers = pageHeaders({ script: scriptAddress(ORIGIN) });
      return route.fulfill({ contentType: "text/html; charset=utf-8", body: markup, headers });
    });
    await page.goto(`${ORIGIN}/`);
    return { page, said };
  }
  const sample = (name: string, texts: Texts = en) => samplePages(texts)[name] ?? "";
  const typesOf = (page: Page) =>
    page
      .locator("[autocomplete$=-password]")
      .evaluateAll((fields) => fields.map((field) => field.getAttribute("type")));
  const timesOf = (page: Page) => page.locator("time").allTextContents();

  it.each([
    ["login", "Show password", 1],
    ["account sign-in", "Show password", 1],
    ["set password", "Show passwords", 2],
    ["password change", "Show passwords", 3],
  ])("shows the passwords of a form and hides them again: %s", async (name, label, count) => {
    const { page, said } = await opened(sample(name));
    const box = page.getByLabel(label, { exact: true });
    const before = await typesOf(page);
    await box.check();
    const shown = await typesOf(page);
    await box.uncheck();
    expect([before, shown, await typesOf(page)]).toEqual(
      ["password", "text", "password"].map((type) => Array(count).fill(type)),
    );
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("hides a shown password before the form is sent, so that no browser remembers it as text", async () => {
    const { page } = await opened(sample("login"));
    await page.getByLabel("Show password").check();
    await page.evaluate(`document.forms[0].addEventListener("submit", (event) => event.preventDefault())`);
    await page.evaluate(`document.forms[0].noValidate = true, document.forms[0].requestSubmit()`);
    expect(await typesOf(page)).toEqual(["password"]);
    await page.context().close();
  });

  it.each(["login", "consent", "sign-out question", "set password", "password change", "account"])(
    "sends a form once, however often a button is pressed before the answer: %s",
    async (name) => {
      const { page } = await opened(sample(name));
      const posted: string[] = [];
      await page.route(`${ORIGIN}/**`, async (route) => {
        if (route.request().method() === "POST") posted.push(route.request().url());
        await pause(500);
        await route.fulfill({ contentType: "text/html", body: "<title>Answered</title>" });
      });
      await page.evaluate(`{
        for (const form of document.forms) form.noValidate = true;
        const buttons = [...document.querySelectorAll("form button")];
        [buttons[0], buttons[0], buttons.at(-1)].forEach((button, index) => setTimeout(() => button.click(), index * 150));
      }`);
      await page.waitForURL(/auth/);
      expect([posted, await page.title()]).toEqual([[page.url()], "Answered"]);
      await page.context().close();
    },
  );

  it("lets a form be sent again that a browser has brought back, or that nobody has answered for long", async () => {
    const { page } = await opened(sample("login"));
    await page.clock.install();
    await page.reload();
    const press = async () => {
      const answered = page.waitForResponse(/auth/);
      await page.evaluate(`document.forms[0].noValidate = true, document.forms[0].requestSubmit()`);
      await answered;
    };
    const busy = () => page.locator("form").getAttribute("aria-busy");
    // Each answer is one that leaves the page as it is.
    await page.route(`${ORIGIN}/auth/**`, (route) => route.fulfill({ status: 204 }));
    await press();
    const sent = await busy();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    const restored = await busy();
    await press();
    await page.clock.runFor(21_000);
    expect([sent, restored, await busy()]).toEqual(["true", null, null]);
    await page.context().close();
  });

  it.each([
    ["login", "login, refused, with long values"],
    ["set password", "password set, with a long address"],
  ])(
    "asks for a page again, and sends no form again, when a person reloads the answer to it or comes back to it: %s",
    async (name, answer) => {
      const { page } = await opened(sample(name));
      const asked: string[] = [];
      const headers = pageHeaders({ script: scriptAddress(ORIGIN) });
      await page.route(`${ORIGIN}/auth/**`, (route) => {
        asked.push(route.request().method());
        const body = sample(answer);
        return route.fulfill({ status: 400, contentType: "text/html; charset=utf-8", body, headers });
      });
      await page.evaluate(`document.forms[0].noValidate = true, document.forms[0].requestSubmit()`);
      await page.waitForURL(/auth/);
      await page.reload();
      await page.goto(`${ORIGIN}/`);
      await page.goBack();
      expect(asked).toEqual(["POST", "GET", "GET"]);
      await page.context().close();
    },
  );

  it("shows on a form that was sent that its answer is on its way, on a phone without a cursor too", async () => {
    const { page } = await opened(sample("login"));
    const opacity = () => page.evaluate(`getComputedStyle(document.querySelector("button")).opacity`);
    const before = await opacity();
    // An answer that leaves the page as it is.
    await page.route(`${ORIGIN}/auth/**`, (route) => route.fulfill({ status: 204 }));
    const answered = page.waitForResponse(/auth/);
    await page.evaluate(`document.forms[0].noValidate = true, document.forms[0].requestSubmit()`);
    await answered;
    expect([before, await opacity()]).toEqual(["1", "0.6"]);
    await page.context().close();
  });

  it("lets a form be sent again at once whose answer the person did not wait for", async () => {
    const { page } = await opened(sample("login"));
    // The page's own twenty seconds never pass.
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await page.reload();
    const tools = await page.context().newCDPSession(page);
    await page.route(`${ORIGIN}/auth/**`, () => undefined);
    const send = () => {
      const asked = page.waitForRequest(/auth/);
      const expression = "document.forms[0].noValidate = true, document.forms[0].requestSubmit()";
      return Promise.all([asked, tools.send("Runtime.evaluate", { expression })]);
    };
    await send();
    await tools.send("Page.stopLoading");
    const busy = () => page.evaluate(`document.forms[0].getAttribute("aria-busy")`);
    const stopped = await eventually(busy, (value) => value === null);
    const [again] = await send();
    expect([stopped, again.method()]).toEqual([null, "POST"]);
    await page.context().close();
  });

  it.each([
    ["account", ["GET"]],
    ["password change", []],
    ["login", []],
  ])(
    "loads the account again that a browser has brought back as it was, and no other page: %s",
    async (name, loads) => {
      const { page } = await opened(sample(name));
      const asked: string[] = [];
      page.on("request", (request) => request.isNavigationRequest() && asked.push(request.method()));
      await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
      await pause(500);
      expect(asked).toEqual(loads);
      await page.context().close();
    },
  );

  it.each([
    [en, "Jun 30, 2026, 10:15", "Times are in your time zone: Central European Time."],
    [de, "30. Juni 2026, 10:15", "Alle Zeiten in Ihrer Zeitzone: Mitteleuropäische Zeit."],
  ])("shows times in the person's own zone, which it names: $language", async (texts, time, zone) => {
    const { page, said } = await opened(sample("account", texts));
    expect([...new Set(await timesOf(page))]).toEqual([time]);
    expect(await page.locator(".zone").innerText()).toBe(zone);
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("leaves nothing missing where it does not run", async () => {
    const { page: login } = await opened(sample("login"), { javaScriptEnabled: false });
    const { page: account } = await opened(sample("account"), { javaScriptEnabled: false });
    expect(await login.locator(".reveal").isVisible()).toBe(false);
    expect([...new Set(await timesOf(account))]).toEqual(["Jun 30, 2026, 08:15 UTC"]);
    expect(await account.locator(".zone").isVisible()).toBe(false);
    await Promise.all([login, account].map((page) => page.context().close()));
  });

  it("is the only one that runs: neither another one of this origin, nor one in the page", async () => {
    const planted = `<script src="${OTHER}"></script><script>document.title = "inline"</script></head>`;
    const { page, said } = await opened(sample("login").replace("</head>", planted));
    expect(await page.title()).toBe("Sign in · Gatehouse");
    expect(said).toHaveLength(2);
    expect(await page.getByLabel("Show password").isVisible()).toBe(true);
    await page.context().close();
  });
});
