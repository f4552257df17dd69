import index from "#generated/contracts/index.json" with { type: "json" };
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

/** As startPortalEdge names itself. */
const ISSUER = "https://sign-on.example";
const GATEWAY_URL = "https://gateway.example";

describe("the overview in one text (R-X400)", () => {
  const portal = servedPortal();
  let text: string;
  beforeAll(async () => {
    text = (await call(portal.url, "/llms.txt")).text;
  });

  const links = () => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href = ""]) => href);
  const paths = () => links().map((href) => new URL(href).pathname);

  it("is a heading, a sentence, and chapters of links with what is behind them", () => {
    const [title, quote, intro, ...chapters] = text.split("\n\n");
    expect(title).toBe("# Gatehouse");
    expect(quote).toMatch(/^> .+\.$/);
    expect(intro).toContain(`${ISSUER}/.well-known/openid-configuration`);
    const lists = chapters.filter((_, at) => at % 2 === 1).map((list) => list.trim().split("\n"));
    expect(chapters.filter((_, at) => at % 2 === 0)).toEqual([
      "## Guides for integrators",
      "## Guides for the platform's back end",
      "## Guides for operators",
      "## Contracts",
      "## To install",
      "## Optional",
    ]);
    expect(lists).toHaveLength(6);
    for (const line of lists.flat()) expect(line).toMatch(/^- \[[^\]]+\]\(http[^)]+\): [A-Z].+\.$/);
  });

  it("names each guide as Markdown, each contract that is drawn, each SDK and the tools", () => {
    const drawn = index.files.map(({ file }) => file).filter((file) => !file.startsWith("portal."));
    expect(paths().toSorted()).toEqual(
      [
        ...guides().map(({ name }) => `/docs/guides/${name}.md`),
        ...drawn.map((file) => `/contracts/${file}`),
        ...["typescript", "python", "go", "java"].map((language) => `/sdks/${language}.tgz`),
        ...["/tools/gatehouse-webhooks.tgz", "/problems", "/docs"],
      ].toSorted(),
    );
  });

  it("links to this installation alone, and to what is there", async () => {
    const answers = await Promise.all(paths().map(async (path) => (await call(portal.url, path)).status));
    expect(new Set(links().map((href) => new URL(href).origin))).toEqual(new Set([GATEWAY_URL]));
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it("is found from the documentation", async () => {
    expect((await call(portal.url, "/docs")).text).toContain('href="/llms.txt"');
  });
});
