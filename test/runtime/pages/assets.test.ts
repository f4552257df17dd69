import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { assets } from "#runtime/pages/assets.ts";
import { documentationStylesheet } from "../../../src/portal/frame/documentation-frame.ts";

describe("assets", () => {
  it.each(Object.entries(assets))("names the %s by its content", (_, { href, fileName, body }) => {
    const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
    expect(fileName).toMatch(new RegExp(`^gatehouse-${digest}\\.(css|svg|js)$`));
    expect(href).toBe(`/assets/${fileName}`);
  });

  it("declares the media types", () => {
    const { stylesheet, icon, script } = assets;
    expect([stylesheet, icon, script].map(({ mediaType }) => mediaType)).toEqual([
      "text/css; charset=utf-8",
      "image/svg+xml",
      "text/javascript; charset=utf-8",
    ]);
  });

  it.each([
    ["src/runtime/pages", assets.stylesheet],
    ["src/portal/frame", documentationStylesheet],
  ])("sends the stylesheets of %s without their comments, and with all of their rules", (folder, { body }) => {
    const written = stylesheetsOf(folder);
    const rules = (text: string) => text.split("{").length;
    expect([/\/\*|\*\//.test(written), /\/\*|\*\//.test(body), rules(body)]).toEqual([true, false, rules(written)]);
  });

  it("has a stylesheet that loads nothing", () => {
    expect(assets.stylesheet.body).not.toMatch(/url\(|@import|@font-face|https?:/);
  });

  // WebKit 2.50, the engine of Safari 26, ends the process of a page where a paragraph with `pretty` has a long list of
  // codes: the gateway's reference did, in a window of 1280 pixels.
  it.each(globSync("src/**/*.css"))("has nothing in %s that ends a page in Safari", (path) => {
    expect(readFileSync(path, "utf8")).not.toMatch(/text-wrap(?:-style)?:\s*pretty/);
  });

  it.each(globSync("src/**/*.css"))("declares no decoration in %s that Safari ignores", (path) => {
    expect(readFileSync(path, "utf8")).not.toMatch(/text-decoration:\s*[^\s;]+\s+[^;]/);
  });

  // Pages of the documentation link both: a class of the one would draw what the other means by the same name. The head
  // of a page is the same thing in both.
  it("shares no class with the stylesheet of the documentation but the head of a page", () => {
    const own = classesOf(stylesheetsOf("src/runtime/pages"));
    const documentation = classesOf(stylesheetsOf("src/portal/frame"));
    expect([...own].filter((name) => documentation.has(name))).toEqual(["masthead"]);
  });

  it("has an icon without script, style or reference", () => {
    expect(assets.icon.body).not.toMatch(/<script|<style|href|\son[a-z]+=|style=/);
  });
});

const stylesheetsOf = (folder: string): string =>
  globSync(`${folder}/*.css`)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");

/** Classes that a stylesheet defines for the screen: by a rule of the class alone, in no other element. */
function classesOf(stylesheet: string): ReadonlySet<string> {
  const [onScreen = ""] = stylesheet.split("@media print");
  const selectors = [...onScreen.matchAll(/(?:^|[};])\s*((?:[^{};@/]|\/\*.*?\*\/)+)\{/gs)].flatMap(([, list = ""]) =>
    list.replaceAll(/\/\*.*?\*\//gs, "").split(","),
  );
  return new Set(selectors.flatMap((one) => /^\s*\.([\w-]+)\s*$/.exec(one)?.[1] ?? []));
}
