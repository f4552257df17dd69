import { assets } from "#runtime/pages/assets.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { HOSTILE_TEXTS, skeleton } from "./skeleton.ts";

const body = html`<h1>Heading</h1>`;

describe("frame", () => {
  it("begins with the doctype and names language, title and width", () => {
    const page = frame({ title: "Sign in", language: "en", body });
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain("<title>Sign in · Gatehouse</title>");
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  });

  it.each(["ar", "he", "fa-IR", "ur", "az-Arab", "ks", "dv", "nqo", "syr", "rhg", "ff-Adlm"])(
    "writes %s from right to left",
    (language) => {
      expect(frame({ title: "x", language, body })).toContain(`<html lang="${language}" dir="rtl">`);
    },
  );

  it.each(["en", "de-AT", "ja", "az", "ar-Latn"])("writes %s from left to right", (language) => {
    expect(frame({ title: "x", language, body })).not.toContain('dir="rtl"');
  });

  it("loads the stylesheet and the icon, and nothing else", () => {
    const page = frame({ title: "x", language: "en", body, layout: "court" });
    const loaded = [...page.matchAll(/(?:<link[^>]*href|<[^>]*\ssrc)="([^"]*)"/g)].map(([, address]) => address);
    expect(new Set(loaded)).toEqual(new Set([assets.stylesheet.href, assets.icon.href]));
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
  });

  it("loads the one script where asked for, after the content is there", () => {
    const page = frame({ title: "x", language: "en", body, script: true });
    expect(page.match(/<script[^>]*>/g)).toEqual([`<script src="${assets.script.href}" defer>`]);
  });

  it("keeps a page out of search engines by default", () => {
    const robots = '<meta name="robots" content="noindex">';
    expect(frame({ title: "x", language: "en", body })).toContain(robots);
    expect(frame({ title: "x", language: "en", body, indexed: true })).not.toContain(robots);
  });

  it("has one of each landmark, and a skip link to the main one where asked for", () => {
    const page = frame({ title: "x", language: "en", body, layout: "court", skipLink: "Skip", footer: html`<p>f</p>` });
    expect(skeleton(page).filter((tag) => /^<(header|main|footer)\b/.test(tag))).toHaveLength(3);
    expect(page).toContain('<a class="skip" href="#main">Skip</a>');
    expect(page).toContain('<main id="main"');
  });

  it("escapes a hostile title", () => {
    const expected = skeleton(frame({ title: "x", language: "en", body }));
    const actual = HOSTILE_TEXTS.map((title) => skeleton(frame({ title, language: "en", body })));
    expect(actual).toEqual(HOSTILE_TEXTS.map(() => expected));
  });
});
