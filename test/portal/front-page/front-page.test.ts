import { DOCUMENTED } from "../../../src/portal/frame/documented.ts";
import { type FrontPageValues, frontPage } from "../../../src/portal/front-page/front-page.ts";

const values: FrontPageValues = {
  version: "1.2.3",
  issuer: "https://sign-on.example",
  gatewayUrl: "https://gateway.example",
  guides: [
    { name: "quickstart", audience: "integrators", title: "Quickstart", summary: "", headings: [], languages: [] },
    { name: "going-live", audience: "integrators", title: "Going live", summary: "", headings: [], languages: [] },
    { name: "run-it", audience: "operators", title: "Run it", summary: "", headings: [], languages: [] },
  ],
  contracts: {
    signOn: { yaml: "/contracts/sign-on.yaml", json: "/contracts/sign-on.json" },
    gateway: { yaml: "/contracts/gateway.yaml", json: "/contracts/gateway.json" },
    webhooks: { yaml: "/contracts/webhooks.asyncapi.yaml", json: "/contracts/webhooks.asyncapi.json" },
  },
};
const hrefs = (page: string) => [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);

describe("the front page (R-D7)", () => {
  it("links to the integrators' guides first, then to every contract, to the discovery document and to the keys (R-X190)", () => {
    expect(hrefs(frontPage(values))).toEqual([
      "#main",
      "/",
      ...["/docs/guides/quickstart", "/docs/guides/going-live"],
      ...["/docs/sign-on", "/contracts/sign-on.yaml", "/contracts/sign-on.json"],
      ...["/docs/gateway", "/contracts/gateway.yaml", "/contracts/gateway.json"],
      ...["/docs/events", "/contracts/webhooks.asyncapi.yaml", "/contracts/webhooks.asyncapi.json"],
      "https://sign-on.example/auth/account",
      "https://sign-on.example/.well-known/openid-configuration",
      "/docs",
      "/docs/platform",
      "https://sign-on.example/.well-known/jwks.json",
    ]);
  });

  it("links to sample and health where they exist: what is for people first, what is for programs last", () => {
    const page = frontPage({
      ...values,
      healthUrl: "http://localhost:8081/health",
      sampleUrl: "http://localhost:8090/",
    });
    expect(hrefs(page).slice(-7)).toEqual([
      "http://localhost:8090/",
      "https://sign-on.example/auth/account",
      "https://sign-on.example/.well-known/openid-configuration",
      "/docs",
      "/docs/platform",
      "https://sign-on.example/.well-known/jwks.json",
      "http://localhost:8081/health",
    ]);
    expect(page).not.toContain("curl http://localhost:8090");
  });

  it("has a command for each document that programs read, with this installation's addresses", () => {
    const commands = [...frontPage(values).matchAll(/<pre><code>([^<]*)<\/code><\/pre>/g)].flatMap(([, text]) =>
      text?.split("\n"),
    );
    expect(commands).toEqual([
      "curl https://sign-on.example/.well-known/openid-configuration",
      "curl -H &quot;x-api-key: $API_KEY&quot; \\",
      "  https://gateway.example/v1/instance-integrations",
      "curl https://gateway.example/contracts/sign-on.yaml",
      "curl https://gateway.example/contracts/gateway.yaml",
      "curl https://gateway.example/contracts/webhooks.asyncapi.yaml",
      "curl https://gateway.example/contracts/platform.workforce.proto",
      "curl https://gateway.example/contracts/platform.sign-on.proto",
      "curl https://sign-on.example/.well-known/jwks.json",
    ]);
  });

  it("shows the version, and the carrier where it is known", () => {
    expect(frontPage(values)).toContain("<p>Gatehouse 1.2.3</p>");
    expect(frontPage({ ...values, carrier: "in-process" })).toContain(
      "<p>Gatehouse 1.2.3 · calls between roles: in-process</p>",
    );
  });

  it("names each part as the documentation's menu does", () => {
    const names = [...frontPage(values).matchAll(/<section class="bay">\n<h2>([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual(DOCUMENTED.map(({ title }) => title).filter((title) => title !== "Platform"));
  });
});
