import { ErrorPageReason } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { type ErrorPageValues, errorPage } from "../../../src/sign-on/browser/error-page.ts";
import { de } from "../../../src/sign-on/texts/de.ts";
import { en } from "../../../src/sign-on/texts/en.ts";
import { HOSTILE_TEXTS, skeleton } from "../../runtime/pages/skeleton.ts";

const requestId = "req_4tGJ9sWmQ2xZbL7NcR5Kd";
/** The page, without the markup that keeps words whole. */
const page = (values: Partial<ErrorPageValues> = {}) =>
  errorPage({ reason: "serverError", requestId, ...values }, en).replaceAll(/<span class="whole">(.*?)<\/span>/g, "$1");
const heading = (markup: string) => markup.match(/<h1>(.*)<\/h1>/)?.[1];

describe("the error page (S1)", () => {
  const reasons = [...Object.values(ErrorPageReason), "unreadable", "serverError", "unavailable"] as const;
  const ofLinksAndSignOut = [
    ...(["linkUnknown", "linkExpired", "linkUsed", "linkWithdrawn", "accountForm", "accountCookie"] as const),
    ...(["logoutMalformed", "logoutHint", "logoutApplication", "logoutAddress", "logoutGone", "logoutForm"] as const),
  ];

  it.each(reasons)("has title, cause, advice and reference for %s", (reason) => {
    const markup = page({ reason });
    const shown = Object.values(en.errorPage.reasons).find(({ title }) => title === heading(markup));
    const sentences = [shown?.title, ...(shown?.causes ?? []), shown?.advice].map(String);
    expect(sentences.filter((sentence) => !markup.includes(sentence))).toEqual([]);
    expect(markup).toContain(`<dd><code>${requestId}</code></dd>`);
  });

  it.each([en, de])("says once whom to ask, and once what to give them, on every page in $language", (texts) => {
    const twice = [...reasons, ...ofLinksAndSignOut].filter((reason) => {
      const markup = errorPage({ reason, requestId }, texts);
      return (
        (markup.match(/contact |wenden Sie sich/gi) ?? []).length !== 1 ||
        (markup.match(/reference below|Kennung unten/g) ?? []).length !== 1
      );
    });
    expect(twice).toEqual([]);
  });

  it("shows a page of its own for each reason that the service gives", () => {
    const { UNSPECIFIED, UNRECOGNIZED, ...given } = ErrorPageReason;
    const headings = [
      ...Object.values(given),
      "unreadable" as const,
      "serverError" as const,
      "unavailable" as const,
    ].map((reason) => heading(page({ reason })));
    expect(new Set(headings).size).toBe(headings.length);
  });

  it("names the causes that people and proxies bring about", () => {
    expect(page({ reason: ErrorPageReason.INTERACTION_ELSEWHERE })).toMatch(/another browser.*cookie.*without https/s);
    expect(page({ reason: ErrorPageReason.INTERACTION_GONE })).toMatch(/finished.*too long/s);
  });

  it("offers a way back to a path of ours", () => {
    expect(page({ reason: "unavailable", retryUrl: "/auth/login?interaction=a&b=c" })).toContain(
      'href="/auth/login?interaction=a&amp;b=c"',
    );
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "auth/login",
    "",
  ])("never links to %j", (retryUrl) => {
    expect(page({ reason: "unavailable", retryUrl })).not.toContain("<a ");
  });

  it("offers to begin again where the application is", () => {
    const begun = {
      reason: ErrorPageReason.INTERACTION_GONE,
      startAgainOrigin: "https://payroll.example:8443",
    };
    expect(page(begun)).toContain(
      '<a class="button primary" href="https://payroll.example:8443">Start again at <bdi>payroll.example:8443</bdi></a>',
    );
  });

  it.each([
    "javascript:alert(1)",
    "com.example.app:",
    "//payroll.example",
    "https://payroll.example/path",
    "https://user@payroll.example",
    "",
  ])("never offers to begin again at %j", (startAgainOrigin) => {
    expect(page({ startAgainOrigin })).not.toContain("<a ");
  });

  it.each(HOSTILE_TEXTS)("keeps %.40j in its place", (text) => {
    expect(skeleton(page({ requestId: text }))).toEqual(skeleton(page()));
  });
});
