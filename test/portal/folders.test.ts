import index from "#generated/contracts/index.json" with { type: "json" };
import { PROBLEMS } from "#generated/problems.ts";
import { SIGN_ON_ERRORS } from "#generated/sign-on-errors.ts";
import { guides } from "../../src/portal/guides/published-guides.ts";
import { signOnErrorPageName } from "../../src/portal/problems/sign-on-error-page.ts";
import { call } from "../support/http.ts";
import { servedPortal } from "../support/portal-edge.ts";

const SERVED: readonly string[] = [
  ...["/", "/llms.txt", "/docs", "/docs/search", "/docs/sign-on", "/docs/gateway", "/docs/events", "/docs/platform"],
  ...guides().flatMap(({ name }) => [`/docs/guides/${name}`, `/docs/guides/${name}.md`]),
  ...["typescript", "python", "go", "java"].map((language) => `/sdks/${language}.tgz`),
  "/tools/gatehouse-webhooks.tgz",
  "/contracts/index.json",
  ...index.files.map(({ file }) => `/contracts/${file}`),
  ...Object.keys(PROBLEMS).map((code) => `/problems/${code.replaceAll("_", "-")}`),
  ...Object.keys(SIGN_ON_ERRORS).map((code) => `/problems/${signOnErrorPageName(code)}`),
];

/** `/docs/guides` and `/docs` for `/docs/guides/quickstart`. */
const above = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(1, -1)
    .map((_, at, names) => `/${names.slice(0, at + 1).join("/")}`);

describe("addresses with pages below them (R-X376)", () => {
  const portal = servedPortal();

  const folders = [...new Set(SERVED.flatMap(above))].toSorted();

  it("are these", () => {
    expect(folders).toEqual(["/contracts", "/docs", "/docs/guides", "/problems", "/sdks", "/tools"]);
  });

  it.each(folders)("%s has a list, or leads to one that is there", async (folder) => {
    const answer = await call(portal.url, folder);
    const location = answer.headers.get("location") ?? folder;
    const [path = "", anchor] = location.split("#");
    const page = answer.status === 303 ? await call(portal.url, path) : answer;
    expect(page.status).toBe(200);
    expect(anchor === undefined || page.text.includes(`id="${anchor}"`)).toBe(true);
  });

  it.each(["/problems", "/docs/guides", "/contracts", "/sdks", "/tools"])(
    "what is below %s is listed there",
    async (folder) => {
      const answer = await call(portal.url, folder);
      const [path = ""] = (answer.headers.get("location") ?? folder).split("#");
      const { text } = await call(portal.url, path);
      const listed = SERVED.filter((one) => one.startsWith(`${folder}/`) && !one.endsWith(".md"));
      expect(listed.filter((one) => !text.includes(one))).toEqual([]);
    },
  );

  it.each(["/docs", "/problems/scope-missing", "/problems/sign-on-invalid-grant"])(
    "%s leads to the list of problems, which a reader has no other way to find",
    async (path) => {
      expect((await call(portal.url, path)).text).toContain('<a href="/problems">');
    },
  );

  it.each(["/docs/", "/docs/guides/", "/contracts/", "/problems/", "/sdks/", "/tools/"])(
    "%s is unknown",
    async (path) => {
      expect((await call(portal.url, path, { unrouted: true })).status).toBe(404);
    },
  );
});
