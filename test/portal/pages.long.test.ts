import type { Browser } from "playwright-core";
import { PROBLEMS } from "#generated/problems.ts";
import { documentationIndexPage } from "../../src/portal/documentation/documentation-index-page.ts";
import { frontPage } from "../../src/portal/front-page/front-page.ts";
import { getGuidePlace, guides } from "../../src/portal/guides/published-guides.ts";
import { problemListPage } from "../../src/portal/problems/problem-list-page.ts";
import { problemPage } from "../../src/portal/problems/problem-page.ts";
import { signOnErrorPage } from "../../src/portal/problems/sign-on-error-page.ts";
import { unknownAddressPage } from "../../src/portal/unknown-address/unknown-address-page.ts";
import { findings, LOOKS } from "../runtime/pages/looked-at.ts";
import { describeChromium, launchChromium } from "../support/chromium.ts";

const code = "instance_integration_not_configured";

const PAGES: Readonly<Record<string, string>> = {
  "front page": frontPage({
    version: "1.2.3",
    issuer: "https://sign-on.a-rather-long-company-name.example",
    gatewayUrl: "https://gateway.a-rather-long-company-name.example",
    guides: guides(),
    contracts: {
      signOn: { yaml: "/contracts/sign-on.yaml", json: "/contracts/sign-on.json" },
      gateway: { yaml: "/contracts/gateway.yaml", json: "/contracts/gateway.json" },
      webhooks: { yaml: "/contracts/webhooks.asyncapi.yaml", json: "/contracts/webhooks.asyncapi.json" },
    },
    healthUrl: "http://localhost:8081/health",
    sampleUrl: "http://localhost:8090/",
    carrier: "in-process",
  }),
  "documentation, the beginning": documentationIndexPage(),
  "problem page": problemPage({
    code,
    ...PROBLEMS[code],
    sample: { code, detail: PROBLEMS[code].title },
    place: getGuidePlace(PROBLEMS[code].guide),
  }),
  "list of problems": problemListPage(),
  "page about an error of sign-on": signOnErrorPage(
    "invalid_client",
    "https://sign-on.a-rather-long-company-name.example",
    "req_4tGJ9sWmQ2xZbL7NcR5Kd",
  ),
  "page at an unknown address": unknownAddressPage("req_4tGJ9sWmQ2xZbL7NcR5Kd", "404"),
};

describeChromium("the portal's pages, looked at", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(PAGES))("%s", async (_, markup) => {
    const found: (readonly string[])[] = [];
    for (const look of LOOKS) found.push(await findings(browser, markup, look));
    expect(found).toEqual(LOOKS.map(() => []));
  });
});
