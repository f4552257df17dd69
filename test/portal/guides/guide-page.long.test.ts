import type { Browser, Page } from "playwright-core";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { describeChromium, launchChromium } from "../../support/chromium.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";
import { type Looked, looked, printWeights, WIDTHS } from "../support/looked-at-page.ts";

const NAMES = guides().map(({ name }) => name);
const FIRST_VIEW_BYTES_MAX = 150_000;

const DESK = { colorScheme: "dark", width: 1280 } as const;

const unescaped = (markup: string): string =>
  markup
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("guides (R-X190)", () => {
  const portal = servedPortal();

  it.each(NAMES)("%s runs no script and loads nothing from elsewhere", async (name) => {
    const { status, headers, text } = await call(portal.url, `/docs/guides/${name}`);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
    expect(text).not.toMatch(/<script|<[^>]+ (style|on[a-z]+)=|src="http/);
  });

  it.each(NAMES)(
    "%s shows every block as its Markdown has it, with the addresses of this installation",
    async (name) => {
      const page = await call(portal.url, `/docs/guides/${name}`);
      const source = await call(portal.url, `/docs/guides/${name}.md`);
      const shown = [...page.text.matchAll(/<pre><code>([^<]*)<\/code><\/pre>/g)].map(([, text = ""]) =>
        unescaped(text),
      );
      expect(source.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(shown).toEqual(codeBlocks(source.text).map(({ text }) => text));
    },
  );

  it.each(NAMES)("%s leads to its neighbours and to nothing that is not there", async (name) => {
    const { text } = await call(portal.url, `/docs/guides/${name}`);
    const place = NAMES.indexOf(name);
    const hrefs = [...new Set([...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, href = ""]) => href))];
    const answers = await Promise.all(hrefs.map(async (href) => (await fetch(portal.url + href)).status));
    const neighbours = [NAMES[place - 1], NAMES[place + 1]].filter((one) => one !== undefined);
    expect(hrefs).toEqual(
      expect.arrayContaining([...neighbours.map((one) => `/docs/guides/${one}`), `/docs/guides/${name}.md`]),
    );
    expect(answers).toEqual(hrefs.map(() => 200));
  });

  it("are sent compressed to clients that accept it, page and Markdown, and as they are to others", async () => {
    for (const path of [
      "/docs/guides/quickstart",
      "/docs/guides/quickstart?language=go",
      "/docs/guides/quickstart.md",
    ]) {
      const plain = await call(portal.url, path);
      const packed = await fetch(portal.url + path, { headers: { "accept-encoding": "gzip" } });
      expect([plain, packed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
      expect([plain, packed].map(({ headers }) => headers.get("vary"))).toEqual(["accept-encoding", "accept-encoding"]);
      expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 2);
      expect(await packed.text()).toBe(plain.text);
    }
  });

  it.each(["none", "none.md", "quickstart.html", "index.json", "README.md"])("%s is no guide", async (name) => {
    expect((await call(portal.url, `/docs/guides/${name}`)).status).toBe(404);
  });
});

describeChromium("guides, looked at", () => {
  let browser: Browser;
  const portal = servedPortal();
  const weights = new Map<string, number>();
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    printWeights(weights, FIRST_VIEW_BYTES_MAX);
    await browser?.close();
  });

  const opened = async (name: string, { colorScheme, width }: { colorScheme: "light" | "dark"; width: number }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${portal.url}/docs/guides/${name}`, { waitUntil: "networkidle" });
    return { page, close: () => context.close() };
  };

  it.each(NAMES)(
    "%s: axe finds nothing at any width and in any colours, no word is torn, tables fit, and the first view is light (R-X218)",
    async (name) => {
      const looks: Looked[] = [];
      for (const width of WIDTHS) looks.push(await looked(browser, `${portal.url}/docs/guides/${name}`, width));
      weights.set(`/docs/guides/${name}`, Math.max(...looks.map(({ bytes }) => bytes)));
      expect(looks.flatMap(({ findings }) => findings)).toEqual([]);
      expect(weights.get(`/docs/guides/${name}`)).toBeLessThan(FIRST_VIEW_BYTES_MAX);
    },
    120_000,
  );

  const withChoice = guides().filter(({ languages }) => languages.length > 1);
  const visible = (page: Page) =>
    page.locator(".language:visible").evaluateAll((all) => [...new Set(all.map((one) => one.className))]);

  for (const { name, languages } of withChoice)
    it(`${name}: the keyboard chooses a language, and without a stylesheet every language is there`, async () => {
      const { page, close } = await opened(name, DESK);
      const last = `language ${languages.at(-1)?.toLowerCase()}`;
      const before = await visible(page);
      await page.locator(".chooser input:checked").focus();
      await page.keyboard.press("ArrowLeft");
      const chosen = await visible(page);
      await page.evaluate("for (const one of document.styleSheets) one.disabled = true");
      const all = await visible(page);
      await close();
      expect(before).not.toContain(last);
      expect(chosen).toContain(last);
      expect(
        languages.map((language) => `language ${language.toLowerCase()}`).filter((one) => !all.includes(one)),
      ).toEqual([]);
    });

  it("a link to one language leads there, although another one is chosen", async () => {
    const { page, close } = await opened("sign-people-in", DESK);
    await page.click('a[href="/docs/guides/quickstart#sign-a-person-in-python"]');
    await page.waitForURL("**/quickstart#sign-a-person-in-python");
    const chosen = await page.locator(".chooser input:checked").getAttribute("id");
    const { top, height } = await page.locator("#sign-a-person-in-python").evaluate((heading) => {
      const box = heading.getBoundingClientRect();
      return { top: box.top, height: box.height };
    });
    await close();
    expect(chosen).toBe("in-curl");
    expect(height).toBeGreaterThan(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(844);
  });
});
