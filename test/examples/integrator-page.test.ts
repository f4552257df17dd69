import type { Browser } from "playwright-core";
import { describeChromium, launchChromium } from "../support/chromium.ts";
import { example } from "./support/gatehouse-stand-in.ts";
import { sampleSuite } from "./support/sample-suite.ts";

/** Parts of the events' titles, between dots, that end in another line than they begin; and the page's overflow. */
const TORN = `(() => {
  const parts = [];
  for (const title of document.querySelectorAll(".event h3")) {
    const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: part, index } of text.data.matchAll(/[^.]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + part.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) parts.push(part);
      }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth === clientWidth ? parts : [...parts, "scrolls sideways"];
})()`;

sampleSuite("the sample integrator's page, looked at", (context) => {
  describeChromium("in the narrowest window (WCAG 2.2 §1.4.10)", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());

    it("tears no title of an event", async () => {
      for (const type of ["user.updated", "organization_unit_type.created"])
        expect(await context.deliver(example(`events/${type}`))).toBe(204);
      const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
      await page.goto(context.sample.url);
      expect(await page.locator(".event h3").allTextContents()).toEqual([
        "organization_unit_type.created",
        "user.updated",
      ]);
      expect(await page.evaluate(TORN)).toEqual([]);
    });
  });
});
