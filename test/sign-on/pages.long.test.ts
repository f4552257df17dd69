import type { Browser } from "playwright-core";
import { assets } from "#runtime/pages/assets.ts";
import { LANGUAGES } from "../../src/sign-on/texts/languages.ts";
import { openViewer, type Viewer, WIDTHS } from "../runtime/pages/viewer.ts";
import { describeChromium, launchChromium } from "../support/chromium.ts";
import { samplePages } from "./sample-pages.ts";

const PAGES = LANGUAGES.flatMap((texts) =>
  Object.entries(samplePages(texts)).map(([name, markup]) => [texts.language, name, markup] as const),
);

const ACCOUNTS = PAGES.filter(([, name]) => /^account(?! sign-in)/.test(name));

describeChromium("the sign-on pages, looked at", () => {
  let browser: Browser;
  let viewer: Viewer;
  beforeAll(async () => {
    browser = await launchChromium();
    viewer = await openViewer(browser);
  });
  afterAll(() => browser?.close());

  it.each(PAGES)("%s: %s (WCAG 2.2 §1.4.3, §1.4.4, §1.4.10, §1.4.12)", async (_, __, markup) => {
    expect(await viewer.findings(markup)).toEqual([]);
  });

  it.each(ACCOUNTS)("%s: %s has nothing to press on paper", async (_, __, markup) => {
    expect(markup).toContain("<button");
    expect(await viewer.pressableOnPaper(markup)).toEqual([]);
  });

  it("the viewer finds wide pages, overflowing elements, and unreadable text", async () => {
    const wide = (width: number) =>
      `<!doctype html><html lang="en"><title>T</title><main><h1>T</h1><table width="${width}"><tr><td bgcolor="#999999"><font color="#aaaaaa">wide</font></table></main>`;
    const found = [...(await viewer.findings(wide(1300))), ...(await viewer.findings(wide(380)))];
    const sideways = found.filter((finding) => finding.includes("scrolls sideways"));
    expect(sideways.map((finding) => finding.split(":")[0])).toEqual([
      ...["light", "dark"].flatMap((scheme) => WIDTHS.map((width) => `${scheme} ${width} px`)),
      ...WIDTHS.map((width) => `${width} px`),
      ...["text at 200 %, 1280 px", "text at 200 %, 390 px"],
      ...["light 320 px", "dark 320 px", "320 px"],
    ]);
    expect(found.filter((finding) => finding.startsWith("dark 1280 px: color-contrast: <font"))).toHaveLength(2);
    expect(found.filter((finding) => finding.startsWith("light 320 px: stands out: <table"))).toHaveLength(2);
  });

  it("the viewer finds what Firefox would cut on paper (R-X218)", async () => {
    const stylesheet = `<link rel="stylesheet" href="${assets.stylesheet.href}">`;
    const long = `<!doctype html><html lang="en"><title>T</title>${stylesheet}<main class="entry"><h1>T</h1><table height="1100"><tr><td>long</table></main>`;
    const found = await viewer.findings(long);
    expect(found.filter((finding) => finding.includes("paper"))).toEqual([
      "a grid on paper longer than a sheet: main.entry",
    ]);
  });

  it("the viewer finds targets that are small and close to one another (WCAG 2.2 §2.5.8)", async () => {
    const small = `<button style="min-height: 0; width: 10px; height: 10px; padding: 0" aria-label="S"></button>`;
    const page = `<!doctype html><html lang="en"><title>T</title><main><h1>T</h1>${small}${small}</main>`;
    expect((await viewer.findings(page)).filter((finding) => finding.includes("target-size"))).toHaveLength(4);
  });
});
