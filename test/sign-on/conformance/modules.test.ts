import { readFileSync } from "node:fs";
import { titlesIn } from "../../../tools/papers/test-titles.ts";

/** The modules of the conformance suite that a certification plan runs, in the plan's order. */
const BASIC = [
  "oidcc-server",
  "oidcc-response-type-missing",
  "oidcc-idtoken-signature",
  "oidcc-idtoken-unsigned",
  "oidcc-userinfo-get",
  "oidcc-userinfo-post-header",
  "oidcc-userinfo-post-body",
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
  "oidcc-scope-profile",
  "oidcc-scope-email",
  "oidcc-scope-address",
  "oidcc-scope-phone",
  "oidcc-scope-all",
  "oidcc-alternate-happy-flow",
  "oidcc-display-page",
  "oidcc-display-popup",
  "oidcc-prompt-login",
  "oidcc-prompt-none-not-logged-in",
  "oidcc-prompt-none-logged-in",
  "oidcc-max-age-1",
  "oidcc-max-age-10000",
  "oidcc-ensure-request-with-unknown-parameter-succeeds",
  "oidcc-id-token-hint",
  "oidcc-login-hint",
  "oidcc-ui-locales",
  "oidcc-claims-locales",
  "oidcc-ensure-request-with-acr-values-succeeds",
  "oidcc-codereuse",
  "oidcc-codereuse-30seconds",
  "oidcc-ensure-registered-redirect-uri",
  "oidcc-ensure-post-request-succeeds",
  "oidcc-server-client-secret-post",
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
  "oidcc-claims-essential",
  "oidcc-ensure-request-object-with-redirect-uri",
  "oidcc-refresh-token",
  "oidcc-ensure-request-with-valid-pkce-succeeds",
];
const CONFIG = ["oidcc-discovery-endpoint-verification"];
const LOGOUT = [
  "oidcc-rp-initiated-logout-discovery-endpoint-verification",
  "oidcc-rp-initiated-logout",
  "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri",
  "oidcc-rp-initiated-logout-modified-id-token-hint",
  "oidcc-rp-initiated-logout-no-id-token-hint",
  "oidcc-rp-initiated-logout-no-params",
  "oidcc-rp-initiated-logout-no-post-logout-redirect-uri",
  "oidcc-rp-initiated-logout-no-state",
  "oidcc-rp-initiated-logout-only-state",
  "oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri",
  "oidcc-rp-initiated-logout-bad-id-token-hint",
];

/** What the suite skips or judges by hand here; tested for what it is with us all the same. */
const NOT_JUDGED_BY_THE_SUITE: Readonly<Record<string, string>> = {
  "oidcc-idtoken-signature": "not run for applications that were registered beforehand",
  "oidcc-idtoken-unsigned": "not run for applications that were registered beforehand",
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported":
    "not run for applications that were registered beforehand",
  "oidcc-scope-address": "skipped: scopes_supported has no address",
  "oidcc-scope-phone": "skipped: scopes_supported has no phone",
  "oidcc-scope-all": "skipped: scopes_supported has neither",
  "oidcc-scope-profile": "a warning: we have three of the fourteen standard claims",
  "oidcc-prompt-login": "a screenshot is judged by a person",
  "oidcc-max-age-1": "a screenshot is judged by a person",
  "oidcc-ensure-registered-redirect-uri": "a screenshot is judged by a person",
};

/** A module's name is alone, or before our test's own words. */
const namedIn = (file: string) =>
  new Set(titlesIn(`test/sign-on/conformance/${file}`).map(({ title }) => title.split(/[: ]/, 1)[0]));

describe("each module of the conformance suite's plans has a test of its name", () => {
  it.each([
    ["Basic and Form Post", "basic-modules.ts", BASIC],
    ["Config", "config-plan.test.ts", CONFIG],
    ["RP-initiated logout", "rp-initiated-logout-plan.test.ts", LOGOUT],
  ])("%s", (_, file, modules) => {
    const names = namedIn(file);
    expect(modules.filter((module) => !names.has(module))).toEqual([]);
    expect(
      [...names].filter((name) => /^oidcc-(?!.*-plan$)/.test(name ?? "") && !modules.includes(name ?? "")),
    ).toEqual([]);
  });

  it.each([
    ["basic-plan.test.ts", "query"],
    ["form-post-plan.test.ts", "form_post"],
  ])("%s runs all of Basic's, with the response mode %s", (file, mode) => {
    const source = readFileSync(`test/sign-on/conformance/${file}`, "utf8");
    expect(source).toMatch(new RegExp(`^describeBasicModules\\("oidcc-[a-z-]+-test-plan", "${mode}"\\);$`, "m"));
  });

  it("has the numbers of the study: 38, 1 and 11", () => {
    expect([BASIC, CONFIG, LOGOUT].map((modules) => new Set(modules).size)).toEqual([38, 1, 11]);
  });

  it("says of modules only what they have", () => {
    expect(Object.keys(NOT_JUDGED_BY_THE_SUITE).filter((module) => !BASIC.includes(module))).toEqual([]);
  });
});
