import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import gateway from "#generated/contracts/gateway.json" with { type: "json" };
import signOn from "#generated/contracts/sign-on.json" with { type: "json" };
import { EVENT_TYPES, SENT_TYPES } from "#generated/event-types.ts";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { describeChromium, launchChromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";
import { articlesOf, samplesIn } from "../samples/served-samples.ts";
import { looked, WIDTHS } from "../support/looked-at-page.ts";

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

const DESK: Look = { colorScheme: "light", width: 1280 };
const PHONE: Look = { colorScheme: "dark", width: 390 };

const PAGES = ["sign-on", "gateway", "events", "platform"] as const;
const PLACES = ["docs", ...PAGES.map((page) => `docs/${page}`), "docs/search", "docs/search?q=paging"];
const LANGUAGES = ["curl", "typescript", "python", "go", "java"];

/** The operations that a person's browser alone asks for have one sample, for the browser. */
const operationsOf = (contract: { readonly paths: object }) =>
  Object.values(contract.paths as Record<string, Record<string, { operationId?: string; tags?: readonly string[] }>>)
    .flatMap((item) => ["get", "post", "patch", "delete"].flatMap((method) => item[method] ?? []))
    .map(({ operationId = "", tags = [] }) => ({ operationId, tag: tags[0] ?? "" }));

const CONTRACTS = join("generated", "contracts");

const placeOf = (type: string): string => type.replaceAll(/[._]/g, "");

async function open(browser: Browser, address: string, view: Look, { script = true } = {}) {
  const context = await browser.newContext({
    colorScheme: view.colorScheme,
    viewport: { width: view.width, height: 844 },
    javaScriptEnabled: script,
  });
  const page = await context.newPage();
  await page.goto(address);
  return { page, close: () => context.close() };
}

/** What is focused after each press of Tab, in a word or two. */
async function tabbed(page: Page, times: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let press = 0; press < times; press++) {
    await page.keyboard.press("Tab");
    seen.push(String(await page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()")));
  }
  return seen;
}

describe("the documentation (R-D7, R-X77, R-X192)", () => {
  const portal = servedPortal();
  const pages = new Map<string, string>();
  const page = (name: string): string => pages.get(name) ?? "";
  beforeAll(async () => {
    for (const name of PAGES) pages.set(name, (await call(portal.url, `/docs/${name}`)).text);
  });

  it.each(PLACES)("%s runs no script, and loads our own styles and nothing from elsewhere", async (place) => {
    const { headers, text } = await call(portal.url, `/${place}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self';");
    expect(policy).not.toMatch(/script-src|unsafe|sha256|https?:|data:|\*/);
    expect(text).not.toMatch(/<script|<style| style=| on[a-z]+=/);
  });

  it("links to the contract that it is drawn from and to the other pages, and says where the API answers", () => {
    const text = page("gateway");
    for (const href of [
      "/contracts/gateway.yaml",
      "/contracts/gateway.json",
      "/docs",
      "/docs/sign-on",
      "/docs/events",
      "/",
    ])
      expect(text).toContain(`href="${href}"`);
    expect(text).toContain("Address: <code>https://gateway.example</code>");
  });

  it("begins at /docs with the guides, then both APIs and the events, each to read and to download, and every operation and event", async () => {
    const { status, text } = await call(portal.url, "/docs");
    const hrefs = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = ""]) => href);
    const links = [...new Set(hrefs)];
    const answers = await Promise.all(links.map(async (href) => (await fetch(portal.url + href)).status));
    expect(status).toBe(200);
    const own = links.filter((link) => link.startsWith("/docs/guides/"));
    expect(own).toEqual(guides().map(({ name }) => `/docs/guides/${name}`));
    expect(links.indexOf("/docs/guides/quickstart")).toBeLessThan(links.indexOf("/contracts/sign-on.yaml"));
    for (const link of [
      ...["/", "/docs/sign-on", "/contracts/sign-on.yaml", "/contracts/sign-on.json"],
      ...["/docs/gateway", "/contracts/gateway.yaml", "/contracts/gateway.json"],
      ...["/docs/events", "/contracts/webhooks.asyncapi.yaml", "/contracts/webhooks.asyncapi.json"],
      ...["/contracts/webhooks.vectors.json", "/docs/events#/channels/organizationunittypecreated"],
      ...["/docs/platform", "/contracts/platform.workforce.proto", "/docs/platform#/platform/onboardworker"],
    ])
      expect(links).toContain(link);
    const listed = text.replaceAll("<wbr>", "");
    expect(EVENT_TYPES.filter((type) => !listed.includes(`>${type}</a>`))).toEqual([]);
    for (const { operationId } of [...operationsOf(gateway), ...operationsOf(signOn)])
      expect(text).toContain(`/${operationId.toLowerCase()}"`);
    expect(answers).toEqual(links.map(() => 200));
  });

  it("offers nothing at another name", async () => {
    expect((await call(portal.url, "/docs/portal")).status).toBe(404);
  });

  it("sends pages and stylesheets compressed to who accepts that, and as they are to who does not", async () => {
    const [, stylesheet = ""] = /href="(\/assets\/documentation-[^"]+)"/.exec(page("gateway")) ?? [];
    for (const href of ["/docs/gateway", stylesheet]) {
      const plain = await call(portal.url, href);
      expect(plain.headers.get("content-encoding")).toBeNull();
      const packed = await fetch(portal.url + href, { headers: { "accept-encoding": "gzip" } });
      expect(packed.headers.get("content-encoding")).toBe("gzip");
      expect(packed.headers.get("vary")).toBe("accept-encoding");
      expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 3);
      expect(await packed.text()).toBe(plain.text);
    }
  });

  it.each(PAGES)("%s weighs less than a twentieth of a megabyte at the first visit, styles included", async (name) => {
    const hrefs = [...page(name).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, href = ""]) => href);
    const sizes = await Promise.all(
      [`/docs/${name}`, ...new Set(hrefs)].map(async (href) => {
        const answer = await fetch(portal.url + href, { headers: { "accept-encoding": "gzip" } });
        return Number(answer.headers.get("content-length"));
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000);
  });

  it("has every operation and event at the address that it has always had", () => {
    for (const { operationId, tag } of operationsOf(gateway))
      expect(page("gateway")).toContain(`id="/${tag.toLowerCase().replaceAll(" ", "-")}/${operationId.toLowerCase()}"`);
    for (const { operationId, tag } of operationsOf(signOn))
      expect(page("sign-on")).toContain(`id="/${tag.toLowerCase()}/${operationId.toLowerCase()}"`);
    for (const type of EVENT_TYPES) expect(page("events")).toContain(`id="/channels/${placeOf(type)}"`);
  });

  it("shows a sample of each operation of the gateway and of each event in every language", () => {
    const shown = (name: string) => samplesIn(page(name)).map(({ entry, language }) => `${entry} ${language}`);
    const expected = (entries: readonly string[]) =>
      entries.flatMap((entry) => LANGUAGES.map((language) => `${entry} ${language}`));
    const operations = operationsOf(gateway).map(({ operationId }) => operationId.toLowerCase());
    expect(shown("gateway").toSorted()).toEqual(expected(operations).toSorted());
    expect(shown("events").toSorted()).toEqual(expected(SENT_TYPES.map(placeOf)).toSorted());
  });

  it("shows a sample of each operation of sign-on in every language, or what a person's browser opens or sends", () => {
    const languages = new Map(
      operationsOf(signOn).map(({ operationId }) => {
        const entry = operationId.toLowerCase();
        return [operationId, samplesIn(page("sign-on")).filter((one) => one.entry === entry).length] as const;
      }),
    );
    const inBrowsers = operationsOf(signOn).filter(({ operationId }) => languages.get(operationId) === 0);
    expect(new Set(languages.values())).toEqual(new Set([0, LANGUAGES.length]));
    expect(new Set(inBrowsers.map(({ tag }) => tag))).toEqual(new Set(["Pages", "Authorization"]));
    for (const { operationId } of inBrowsers)
      expect(articlesOf(page("sign-on")).get(operationId.toLowerCase())).toContain('<figure class="sample">');
  });

  it.each(PAGES)("shows the first answer of everything in %s outside of what must be opened", (name) => {
    const hidden = [...articlesOf(page(name))].filter(([, article]) => {
      const [, , beside = ""] = article.split(/<div class="(?:says|shows)">/);
      return !beside.includes('<figure class="result">') || beside.includes("<details");
    });
    expect(hidden.map(([entry]) => entry)).toEqual([]);
  });

  it("says of version 1 of workers what version 2 adds and that it has no pages, and marks versions in the contents", () => {
    const article = articlesOf(page("gateway")).get("listworkers");
    expect(article).toContain("This version has no pages");
    expect(article).toContain("Version 2, at the same path below <code>/v2</code>, adds");
    expect(page("gateway")).toMatch(/href="#\/workers\/listworkers">.*?GET v1</);
    expect(page("gateway")).toMatch(/href="#\/workers\/listworkersv2">.*?GET v2</);
  });

  it("says of every event that it is sent to you, and each explanation once", () => {
    const articles = [...articlesOf(page("events")).values()];
    expect(articles.filter((article) => !article.includes("is sent to you"))).toEqual([]);
    for (const type of ["worker.updated", "client.created"]) {
      const message = articlesOf(page("events")).get(placeOf(type)) ?? "";
      expect(message.split("<h3>")).toHaveLength(2);
    }
    expect(page("events").split("HMAC-SHA256")).toHaveLength(2);
  });

  it("explains each header of answers and the form of errors once, and links there", () => {
    for (const name of ["sign-on", "gateway", "platform"]) {
      const text = page(name);
      const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, anchor = ""]) => anchor);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
      expect(anchors.filter((anchor) => !ids.includes(anchor) && anchor !== "main")).toEqual([]);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      const errors = [...text.matchAll(/ aria-label="An error"[^>]*><pre><code>(.*?)<\/code>/gs)].map(
        ([, body]) => body,
      );
      expect(errors).toEqual([...new Set(errors)]);
      expect(errors.length > 0).toBe(name !== "platform");
    }
  });

  it("says how many entries a list that is sent may have, and what each of them must keep to", () => {
    const article = articlesOf(page("gateway")).get("createsubscription") ?? "";
    const limitsOf = (name: string): string =>
      (article.split(`<code class="name">${name}</code>`)[1] ?? "")
        .split("</li>")[0]
        ?.match(/<p class="limits">(.*?)<\/p>/)?.[1] ?? "";
    expect([limitsOf("eventTypes"), limitsOf("clientIds"), limitsOf("extraHeaders")]).toEqual([
      "at least 1 entry; at most 100 entries; each at most 100 characters",
      "at most 1000 entries; each pattern <code>^client_[A-Za-z0-9]{21}$</code>",
      "at most 10 entries",
    ]);
  });

  it.each([
    ["sign-on", "getjwks", "cache-control", "public, max-age=[0-9]+"],
    ["sign-on", "exchangetoken", "cache-control", "always &quot;no-store&quot;"],
    ["sign-on", "exchangetoken", "www-authenticate", "always &quot;Basic realm="],
    ["sign-on", "getuserinfo", "www-authenticate", "^Bearer realm=&quot;userinfo&quot;"],
    ["gateway", "getsubscription", "cache-control", "always &quot;no-store&quot;"],
  ])("leads on the page %s from %s to what its header %s is there: %s", (name, operation, header, said) => {
    const text = page(name);
    const [, article = ""] = text.split(new RegExp(`<article class="topic" id="[^"]*/${operation}">`));
    const led = [...(article.split("</article>")[0] ?? "").matchAll(/href="#(header-[^"]+)">([^<]+)</g)]
      .filter(([, , of]) => of === header)
      .map(([, anchor]) => (text.split(`<li id="${anchor}">`)[1] ?? "").split("</li>")[0] ?? "");
    expect(led.filter((explained) => explained.includes(said))).not.toEqual([]);
  });

  it("has on the platform's page every method with its fields, limits and answer, in sight and by an address that stays (R-X216)", () => {
    const methods = readdirSync(CONTRACTS)
      .filter((file) => file.endsWith(".proto"))
      .flatMap((file) => [...readFileSync(join(CONTRACTS, file), "utf8").matchAll(/^ {2}rpc (\w+)\(/gm)])
      .map(([, name = ""]) => name.toLowerCase());
    const articles = articlesOf(page("platform"));
    expect([...articles.keys()].toSorted()).toEqual(methods.toSorted());
    const tenant = articles.get("createtenant") ?? "";
    expect(page("platform")).toContain('<article class="topic" id="/platform/createtenant">');
    expect(tenant).toContain("Emits client.created.");
    expect(tenant).toMatch(/<code class="name">name<\/code>.*?<p>1 to 200 characters\.<\/p>/s);
    expect(tenant).toMatch(/<summary>Fields of <code>address<\/code><\/summary>.*?iso_country_code/s);
    expect(tenant).toContain("message CreateTenantResponse {\n  Tenant tenant;\n}");
  });

  it("has on the platform's page groups of which one field is set, words of enums, streams, and kinds of refusals with their methods (R-X216)", () => {
    const articles = articlesOf(page("platform"));
    expect(articles.get("createpasswordlink")).toContain("Either this or <code>email</code>.");
    expect(articles.get("createpasswordlink")).toContain("<code>PASSWORD_LINK_PURPOSE_RESET</code> A new password");
    expect(articles.get("createpasswordlink")).not.toContain("UNSPECIFIED");
    expect(articles.get("importworkforce")).toContain("In the request, a stream of messages");
    expect(page("platform")).toMatch(
      /<code class="name">worker_ended<\/code> <span class="type">FAILED_PRECONDITION<\/span><\/p>\s*<p class="limits">Named by <a href="#\/platform\/updateworker">UpdateWorker<\/a>\./,
    );
  });

  it("keeps the language that an address names in the links to other pages, and in the search (R-X215)", async () => {
    for (const place of ["docs", "docs/gateway", "docs/guides/quickstart", "docs/search?q=paging"]) {
      const separator = place.includes("?") ? "&" : "?";
      const { text } = await call(portal.url, `/${place}${separator}language=go`);
      const links = [...text.matchAll(/<a [^>]*href="(\/docs[^"]*)"/g)].map(([, href = ""]) => href);
      const kept = links.filter((href) => !href.endsWith(".md"));
      expect(kept.filter((href) => !/^[^#]*\?language=go(#|$)/.test(href))).toEqual([]);
      expect(kept.length).toBeGreaterThan(4);
      expect(text).toContain('<input type="hidden" name="language" value="go">');
    }
  });

  it("shows the language that an address names, and the first one where the page does not have it (R-X215)", async () => {
    const chosen = async (place: string) =>
      /id="in-(\w+)" class="kept" checked/.exec((await call(portal.url, `/docs/${place}`)).text)?.[1];
    expect(await chosen("gateway?language=java")).toBe("java");
    expect(await chosen("guides/quickstart?language=python")).toBe("python");
    expect(await chosen("gateway?language=openssl")).toBe("curl");
    expect(await chosen("gateway")).toBe("curl");
    expect((await call(portal.url, "/docs/gateway?language=cobol")).status).toBe(400);
  });

  it("says over each sample what it is for, in curl something else than in a language", () => {
    const article = articlesOf(page("events")).get("workerupdated") ?? "";
    const captions = [...article.matchAll(/<figcaption><span>([^<]*)<\/span> <span>(\w+)<\/span>/g)];
    expect(captions.map(([, says, language]) => `${language}: ${says}`)).toEqual([
      "curl: Try your receiver",
      "TypeScript: Receive it",
      "Python: Receive it",
      "Go: Receive it",
      "Java: Receive it",
    ]);
  });

  it("says at the first use on the gateway's page what a client is", () => {
    const [, words = ""] = /<section class="intro">(.*?)<\/section>/s.exec(page("gateway")) ?? [];
    expect(words).toContain("a <em>client</em> is a tenant: one company on one instance");
  });
});

describe("the documentation as a static site (`make docs`)", () => {
  const made = (addresses: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const folder = newFolder("gh-site-");
    const args = ["tools/documentation-site.ts", folder, ...addresses];
    execFileSync(process.execPath, args, { env: { PATH: process.env.PATH, ...environment } });
    const files = ["sign-on", "gateway"].flatMap((name) => [`${name}.html`, `contracts/${name}.json`]);
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
    return texts;
  };

  it("names the installation that it is made for, in pages, samples and contracts (R-X171)", () => {
    const [page = "", contract, ...other] = made(["https://sign-on.example", "https://gateway.example/"]);
    expect(page).toContain("Address: <code>https://sign-on.example</code>");
    expect(samplesIn(page)[0]?.code).toContain("https://sign-on.example/auth/authorize");
    expect(contract).toContain('"default": "https://sign-on.example"');
    expect(other).toEqual([
      expect.stringContaining("Address: <code>https://gateway.example</code>"),
      expect.stringContaining('"default": "https://gateway.example"'),
    ]);
  });

  it("takes it from the environment as the program does, and names one that belongs to no integration when there is none", () => {
    const own = made(["", ""], { GATEHOUSE_ISSUER: "https://people.example" });
    const neutral = made([]);
    expect(own.filter((text) => !text.includes("https://people.example"))).toEqual([]);
    expect(neutral.filter((text) => !text.includes("https://gatehouse.example"))).toEqual([]);
    expect([...own, ...neutral].filter((text) => text.includes("localhost:8080"))).toEqual([]);
  });
});

describeChromium("the documentation, looked at", () => {
  let browser: Browser;
  const portal = servedPortal();
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(PLACES.flatMap((place) => WIDTHS.map((width) => [place, width] as const)))(
    "%s at %i px, light and dark: no complaint, nothing from elsewhere, no word torn, axe finds nothing (R-X218)",
    async (place, width) => {
      expect((await looked(browser, `${portal.url}/${place}`, width)).findings).toEqual([]);
    },
    120_000,
  );

  it("leads the Tab key over the link that skips the masthead and the search to the contents", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/gateway`, DESK);
    const seen = await tabbed(page, 9);
    await close();
    expect(seen).toEqual([
      "Skip to the content",
      "Gatehouse",
      "Overview",
      "Sign-on",
      "Gateway",
      "Events",
      "Platform",
      "q",
      "Search",
    ]);
  });

  it("shows the language that the arrow keys choose, in all samples, without a script", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/gateway`, DESK, { script: false });
    const shown = () => page.locator(".sample.language:visible figcaption span:last-child").allTextContents();
    const before = new Set(await shown());
    await page.locator("#in-curl").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const after = await shown();
    await close();
    expect(before).toEqual(new Set(["curl"]));
    expect(new Set(after)).toEqual(new Set(["Python"]));
    expect(after).toHaveLength(operationsOf(gateway).length);
  });

  it("keeps the chosen language on the pages that follow, without a script (R-X215)", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/gateway`, PHONE, { script: false });
    const keep = page.getByRole("button", { name: "Keep on every page" });
    const offered = [await keep.isVisible()];
    await page.locator("label", { hasText: "Python" }).click();
    offered.push(await keep.isVisible());
    await keep.click();
    await page.waitForURL("**/docs/gateway?language=python");
    offered.push(await keep.isVisible());
    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.waitForURL("**/docs/events?language=python");
    const shown = await page.locator(".sample.language:visible figcaption span:last-child").allTextContents();
    await close();
    expect(offered).toEqual([false, true, false]);
    expect(new Set(shown)).toEqual(new Set(["Python"]));
  });

  it("scrolls a long line of code in its own box, which the keyboard reaches, on a phone (R-X218)", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/gateway`, PHONE, { script: false });
    const box = page.locator(".shows .code:visible").first();
    await box.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const place = () => box.evaluate((element) => (element as unknown as { scrollLeft: number }).scrollLeft);
    const scrolled = await eventually(place, (left) => left > 0);
    const label = await box.getAttribute("aria-label");
    await close();
    expect(scrolled).toBeGreaterThan(0);
    expect(label).toBe("Sample in curl");
  });

  it("closes what one looks up on a phone, has it beside the sample at a desk, and opens it for a link into it (R-X218)", async () => {
    const seen: boolean[] = [];
    for (const view of [PHONE, DESK]) {
      const { page, close } = await open(browser, `${portal.url}/docs/gateway#/workers/listworkersv2`, view);
      const article = page.locator('[id="/workers/listworkersv2"]');
      seen.push(await article.locator("h4", { hasText: "Answers" }).isVisible());
      seen.push(await article.locator(".result .code").isVisible());
      await close();
    }
    expect(seen).toEqual([false, true, true, true]);
  });

  it("has no summary to press of less than 24 pixels in height (WCAG 2.2 §2.5.8)", async () => {
    const small: string[] = [];
    for (const name of ["gateway", "events", "sign-on", "platform"]) {
      const { page, close } = await open(browser, `${portal.url}/docs/${name}`, PHONE, { script: false });
      const found = await page.evaluate(`[...document.querySelectorAll("summary")].flatMap((one) => {
        const { height } = one.getBoundingClientRect();
        return height === 0 || height >= 24 ? [] : [one.textContent + ": " + height];
      })`);
      await close();
      small.push(...(found as string[]));
    }
    expect(small).toEqual([]);
  });

  it("searches from any page, without a script", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/events`, PHONE, { script: false });
    await page.getByRole("searchbox").fill("rotate");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/search?q=rotate");
    const first = await page.locator("main li a").allTextContents();
    await close();
    expect(first).toContain("Read the public keys");
  });

  it("has no way of the masthead alone on a line, on a phone", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs`, PHONE, { script: false });
    const tops = (await page.evaluate(
      `[...document.querySelectorAll(".ways li")].map((one) => one.getBoundingClientRect().top)`,
    )) as number[];
    await close();
    expect([...Map.groupBy(tops, (top) => top).values()].map((row) => row.length)).toEqual([3, 2]);
  });

  it("underlines every word of a result, also one that is kept whole", async () => {
    const { page, close } = await open(browser, `${portal.url}/docs/search?q=ratelimit-policy`, DESK, {
      script: false,
    });
    const lines = await page.evaluate(`[...document.querySelectorAll("main li a, main li a .whole")].map((one) =>
      [one.tagName, getComputedStyle(one).textDecorationLine].join(" "))`);
    await close();
    expect(new Set(lines as string[])).toEqual(new Set(["A underline", "SPAN underline"]));
  });

  it("has the contents in sight beside the text, and behind one line above it on a phone", async () => {
    const visible: boolean[] = [];
    for (const view of [DESK, PHONE]) {
      const { page, close } = await open(browser, `${portal.url}/docs/events`, view);
      visible.push(await page.locator('.contents a[href="#/channels/organizationunittypecreated"]').isVisible());
      await page.locator(".contents summary").evaluate((summary) => (summary as unknown as { click(): void }).click());
      visible.push(await page.locator('.contents a[href="#/channels/organizationunittypecreated"]').isVisible());
      await close();
    }
    expect(visible).toEqual([true, true, false, true]);
  });

  describe("as a static site (`make docs`)", () => {
    const folder = newFolder("gh-site-");
    const TYPES: Readonly<Record<string, string>> = {
      ".html": "text/html",
      ".css": "text/css",
      ".json": "application/json",
      ".svg": "image/svg+xml",
    };
    let server: Server;
    let url: string;
    beforeAll(async () => {
      execFileSync(process.execPath, ["tools/documentation-site.ts", folder]);
      // Below a path, where an absolute address would lead elsewhere.
      server = createServer((request, response) => {
        const file = join(folder, (request.url ?? "").replace(/^\/below\/here/, ""));
        if (!existsSync(file)) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
        return createReadStream(file).pipe(response);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/here`;
    });
    afterAll(() => {
      server.close();
    });

    it.each([...PAGES, "search"])("%s.html is served by any web server, below any path", async (name) => {
      expect((await looked(browser, `${url}/${name}.html`, DESK.width, { axe: false })).findings).toEqual([]);
    });

    it.each(["index", "search"])(
      "%s.html leads to pages, contracts, operations and events that are there",
      async (name) => {
        const { page, close } = await open(browser, `${url}/${name}.html`, DESK);
        const hrefs = (await page
          .locator("a")
          .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))) as string[];
        await close();
        // Of the installation alone.
        const own = hrefs.filter((href) => !/^https:\/\/gatehouse\.example\/problems(?:\/|$)/.test(href));
        const statuses = await Promise.all(own.map(async (href) => (await fetch(href)).status));
        expect(statuses).toEqual(own.map(() => 200));
        expect(own.length).toBeGreaterThan(40);
      },
    );
  });
});
