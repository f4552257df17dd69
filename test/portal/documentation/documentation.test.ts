import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { EVENT_TYPES } from "#generated/event-types.ts";
import { documentationAssets } from "../../../src/portal/documentation/documentation-assets.ts";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { describeChromium, launchChromium } from "../../support/chromium.ts";
import { call } from "../../support/http.ts";
import { startPortalEdge } from "../../support/portal-edge.ts";

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** Whether axe looks too, which takes most of the time. */
  readonly axe: boolean;
}

const DESK: Look = { colorScheme: "light", width: 1360, axe: true };
const PHONE: Look = { colorScheme: "dark", width: 390, axe: true };

/** Where a reader goes: the beginning of each page, and one place in it that has forms of its own. */
const PLACES: readonly (readonly [page: string, shows: string, looks: readonly Look[]])[] = [
  ["sign-on", "Gatehouse Sign-on", [PHONE]],
  ["sign-on#/tokens/exchangetoken", "Exchange an authorization code", [DESK]],
  ["gateway", "Gatehouse Gateway", [DESK, PHONE]],
  ["gateway#/workers/listworkers", "List the workers of a client", [PHONE]],
  ["events", "Gatehouse Events", [DESK]],
  ["events#/channels/organizationunittypecreated", "organization_unit_type.created", [PHONE]],
];

interface Seen {
  readonly text: string;
  /** Console, requests to elsewhere, rules of axe, sideways scrolling; empty when nothing is wrong. */
  readonly wrong: readonly string[];
}

async function look(browser: Browser, address: string, shows: string, view: Look): Promise<Seen> {
  const context = await browser.newContext({
    colorScheme: view.colorScheme,
    viewport: { width: view.width, height: 844 },
  });
  const wrong: string[] = [];
  try {
    const page = await context.newPage();
    const origin = new URL(address).origin;
    // Redoc says its name at level "info".
    page.on("console", (message) => message.type() !== "info" && wrong.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    page.on(
      "request",
      (request) =>
        /^(data:|blob:)/.test(request.url()) || request.url().startsWith(origin) || wrong.push(request.url()),
    );
    await page.goto(address);
    await page.locator("#documentation :is(h1, h2)", { hasText: shows }).first().waitFor();
    const { violations } = view.axe ? await new AxeBuilder({ page }).setLegacyMode().analyze() : { violations: [] };
    wrong.push(...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`));
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if (overflow !== 0) wrong.push(`scrolls sideways by ${overflow} px`);
    return { text: (await page.locator("body").textContent()) ?? "", wrong };
  } finally {
    await context.close();
  }
}

describe("the documentation (R-D7, R-X77)", () => {
  let portal: Awaited<ReturnType<typeof startPortalEdge>>;
  beforeAll(async () => {
    portal = await startPortalEdge();
  });
  afterAll(() => portal.stop(0));

  it("allows only this origin's scripts and styles", async () => {
    const { headers } = await call(portal.url, "/docs/gateway");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/);
  });

  it("links to its contract and to the other pages, and names the API's address", async () => {
    const { text } = await call(portal.url, "/docs/gateway");
    for (const href of [
      "/contracts/gateway.yaml",
      "/contracts/gateway.json",
      "/docs",
      "/docs/sign-on",
      "/docs/events",
      "/",
    ])
      expect(text).toContain(`href="${href}"`);
    expect(text).toContain('data-server="https://gateway.example"');
  });

  it("has at /docs the guides first, then both APIs and the events, each to read and to download, and every event", async () => {
    const { status, text } = await call(portal.url, "/docs");
    const hrefs = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = ""]) => href);
    const links = [...new Set(hrefs)];
    const answers = await Promise.all(links.map(async (href) => (await fetch(portal.url + href)).status));
    expect(status).toBe(200);
    expect(links.slice(0, 11 + guides().length)).toEqual([
      "/",
      ...guides().map(({ name }) => `/docs/guides/${name}`),
      ...["/docs/sign-on", "/contracts/sign-on.yaml", "/contracts/sign-on.json"],
      ...["/docs/gateway", "/contracts/gateway.yaml", "/contracts/gateway.json"],
      ...["/docs/events", "/contracts/webhooks.asyncapi.yaml", "/contracts/webhooks.asyncapi.json"],
      "/contracts/webhooks.vectors.json",
    ]);
    expect(links).toContain("/docs/events#/channels/organizationunittypecreated");
    expect(EVENT_TYPES.filter((type) => !text.includes(`>${type}</a>`))).toEqual([]);
    expect(answers).toEqual(links.map(() => 200));
  });

  it("answers 404 at another name", async () => {
    expect((await call(portal.url, "/docs/portal")).status).toBe(404);
  });

  it("compresses scripts for clients that accept it, and for no others", async () => {
    const { href, body } = documentationAssets.renderer;
    const plain = await call(portal.url, href);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.text === body).toBe(true);
    const packed = await fetch(portal.url + href, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("accept-encoding");
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(body.length / 3);
    expect((await packed.text()) === body).toBe(true);
  });

  it("has a renderer without the name of a host that it could load from", () => {
    // Compared as booleans: the file is too long to be shown.
    const { body } = documentationAssets.renderer;
    expect([body.includes("cdn.redoc.ly"), body.includes("The MIT License")]).toEqual([false, true]);
  });
});

describe("the documentation as a static site (`make docs`)", () => {
  const made = (addresses: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const folder = mkdtempSync(join(tmpdir(), "gh-site-"));
    const args = ["tools/documentation-site.ts", folder, ...addresses];
    execFileSync(process.execPath, args, { env: { PATH: process.env.PATH, ...environment } });
    const files = ["sign-on", "gateway"].flatMap((name) => [`${name}.html`, `contracts/${name}.json`]);
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
    rmSync(folder, { recursive: true });
    return texts;
  };

  it("names the installation that it is made for, in pages and contracts (R-X171)", () => {
    const [page, contract, ...gateway] = made(["https://sign-on.example", "https://gateway.example/"]);
    expect(page).toContain('data-server="https://sign-on.example"');
    expect(contract).toContain('"default": "https://sign-on.example"');
    expect(gateway).toEqual([
      expect.stringContaining('data-server="https://gateway.example"'),
      expect.stringContaining('"default": "https://gateway.example"'),
    ]);
  });

  it("takes it from the environment as the program does, and names a placeholder otherwise", () => {
    const own = made(["", ""], { GATEHOUSE_ISSUER: "https://people.example" });
    const neutral = made([]);
    expect(own.filter((text) => !text.includes("https://people.example"))).toEqual([]);
    expect(neutral.filter((text) => !text.includes("https://gatehouse.example"))).toEqual([]);
    expect([...own, ...neutral].filter((text) => text.includes("localhost:8080"))).toEqual([]);
  });
});

describeChromium("the documentation, looked at", () => {
  let browser: Browser;
  let portal: Awaited<ReturnType<typeof startPortalEdge>>;
  beforeAll(async () => {
    portal = await startPortalEdge();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await portal.stop(0);
  });

  it.each(PLACES)(
    "%s is drawn without an error, loads nothing from elsewhere, and axe finds nothing",
    async (place, shows, looks) => {
      const seen: Seen[] = [];
      for (const view of looks) seen.push(await look(browser, `${portal.url}/docs/${place}`, shows, view));
      expect(seen.map(({ wrong }) => wrong)).toEqual(looks.map(() => []));
    },
  );

  it("shows every event type by its name", async () => {
    const { text } = await look(browser, `${portal.url}/docs/events`, "Gatehouse Events", { ...DESK, axe: false });
    expect(EVENT_TYPES.filter((type) => !text.includes(type))).toEqual([]);
  });

  it("says what to do when the contract cannot be loaded", async () => {
    const page = await browser.newPage();
    await page.route("**/contracts/**", (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto(`${portal.url}/docs/gateway`);
    await page.getByRole("alert").waitFor();
    const said = await page.getByRole("alert").textContent();
    await page.close();
    expect(said).toContain("The contract cannot be shown. Read it as a file: it is linked above. (503");
  });

  describe("as a static site (`make docs`)", () => {
    const folder = mkdtempSync(join(tmpdir(), "gh-site-"));
    const TYPES: Readonly<Record<string, string>> = {
      ".html": "text/html",
      ".css": "text/css",
      ".js": "text/javascript",
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
      rmSync(folder, { recursive: true });
    });

    it.each(["sign-on", "gateway", "events"])("%s.html is drawn by any web server, below any path", async (name) => {
      const { wrong } = await look(browser, `${url}/${name}.html`, "Gatehouse", { ...DESK, axe: false });
      expect(wrong).toEqual([]);
    });

    it("index.html leads to each guide, each page, each contract and each event", async () => {
      const page = await browser.newPage();
      await page.goto(`${url}/index.html`);
      const hrefs = await page
        .locator("main a")
        .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
      await page.close();
      const statuses = await Promise.all(hrefs.map(async (href) => (await fetch(href)).status));
      expect(statuses).toEqual(hrefs.map(() => 200));
      expect(hrefs).toHaveLength(20 + guides().length);
    });
  });
});
