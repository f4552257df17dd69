import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import { portalEdge } from "../../../src/portal/edge.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { type EdgeServer, startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { problem } from "../../../src/workforce/gateway/gateway-error.ts";
import { call } from "../../support/http.ts";
import { silentLog } from "../../support/silent-log.ts";

const GATEWAY_URL = "https://gateway.example.com";

describe("where a problem's type leads (R-G1, R-X16)", () => {
  let server: EdgeServer;
  let url: string;

  beforeAll(async () => {
    server = await startEdgeServer({
      host: "127.0.0.1",
      port: 0,
      areas: [
        portalEdge({
          version: "0.1.0",
          issuer: GATEWAY_URL,
          gatewayUrl: GATEWAY_URL,
          carrier: "in process",
          sampleUrl: undefined,
          healthUrl: "http://localhost:1/health/ready",
        }),
      ],
      log: silentLog,
      metrics: createMetrics(),
      random: systemRandom,
    });
    url = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.stop(0));

  /** The text of the paragraph under a heading. */
  const under = (page: string, heading: string) =>
    unescaped(new RegExp(`>${heading}</h2>\\s*<p>(.*?)</p>`, "s").exec(page)?.[1]?.replaceAll(/<[^>]+>/g, ""));

  it.each(Object.keys(PROBLEMS) as ProblemCode[])("%s: a page with cause, fix and a sample", async (code) => {
    const { type } = problem(code, { gatewayUrl: GATEWAY_URL, requestId: "req_4tGJ9sWmQ2xZbL7NcR5Kd" });
    expect(type.startsWith(`${GATEWAY_URL}/problems/`)).toBe(true);
    const answer = await call(url, type.slice(GATEWAY_URL.length));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const { cause, fix, status, title, detail } = PROBLEMS[code];
    expect(under(answer.text, "What happened")).toBe(cause.replaceAll("`", ""));
    expect(under(answer.text, "What to do")).toBe(fix.replaceAll("`", ""));
    const sample = JSON.parse(unescaped(/<pre><code>(.*?)<\/code><\/pre>/s.exec(answer.text)?.[1]));
    expect(sample).toEqual({
      type,
      title,
      status,
      detail,
      code,
      message: detail,
      requestId: expect.stringMatching(/^req_[A-Za-z0-9]{21}$/),
      ...MORE[code],
    });
  });

  it.each(Object.keys(PROBLEMS) as ProblemCode[])("%s: a link to a section of a guide", async (code) => {
    const page = await call(url, `/problems/${code.replaceAll("_", "-")}`);
    const [, path = "", id = ""] = /href="(\/docs\/guides\/[^"#]+)#([^"]+)"/.exec(page.text) ?? [];
    const guide = await call(url, path);
    expect(guide.status).toBe(200);
    expect(guide.text).toMatch(new RegExp(`<h[23][^>]* id="${id}"`));
  });

  it("problems about webhooks lead to the guides about them", () => {
    const aboutWebhooks = Object.entries(PROBLEMS).filter(([code]) =>
      /subscri|secret|event|delivery|recovery|cursor/.test(code),
    );
    const guidesOf = new Set(aboutWebhooks.map(([, { guide }]) => guide.split("#")[0]));
    expect([...guidesOf].toSorted()).toEqual([
      "keys-and-secrets",
      "manage-webhooks",
      "receive-events",
      "recover-after-an-outage",
    ]);
  });

  it("an address without a page is 404, a problem itself", async () => {
    const answer = await call(url, "/problems/constructor");
    expect([answer.status, answer.json<{ type: string }>().type]).toEqual([404, `${GATEWAY_URL}/problems/not-found`]);
  });
});

/** What answers of some kinds say besides. */
const MORE: Readonly<Partial<Record<ProblemCode, object>>> = {
  cursor_expired: { keptFrom: expect.stringMatching(/^\w{20,}$/) },
  invalid_request: { errors: [{ in: "query", name: "limit", detail: expect.stringMatching(/^must /) }] },
};

const unescaped = (markup = "") =>
  markup.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] ?? "");

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" };
