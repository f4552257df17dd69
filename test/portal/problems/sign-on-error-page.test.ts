import { SIGN_ON_ERRORS, type SignOnErrorCode } from "#generated/sign-on-errors.ts";
import { pageTitles } from "../../../src/sign-on/browser/error-page.ts";
import { CHECKS, type CheckName } from "../../../src/sign-on/refusals/catalogue.ts";
import { type Check, ERROR_MEANINGS, type ErrorCode } from "../../../src/sign-on/refusals/check.ts";
import { toErrorWire } from "../../../src/sign-on/refusals/error-wire.ts";
import { en } from "../../../src/sign-on/texts/en.ts";
import { refusedSignIns } from "../../../tools/guides/refused-sign-ins.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

const CODES = Object.keys(SIGN_ON_ERRORS) as SignOnErrorCode[];
const ISSUER = "https://sign-on.example";
const ROWS: readonly (readonly [name: string, check: Check & { readonly sentence?: string }])[] =
  Object.entries<Check>(CHECKS);
const sentOf = (code: ErrorCode) => ROWS.filter(([, { error }]) => error === code);

const unescaped = (markup: string) =>
  markup.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" };

describe("where error_uri leads (RFC 6749 §5.2, R-X209)", () => {
  const portal = servedPortal();

  /** The page that `error_uri` names, by its path. */
  async function pageOf(code: ErrorCode): Promise<string> {
    const { error_uri } = toErrorWire(code, "A sentence.", { requestId: "req_1", issuer: ISSUER });
    const answer = await call(portal.url, error_uri.slice(ISSUER.length));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    return unescaped(answer.text);
  }

  it("has a page for every code that a check refuses with", () => {
    const sent = (Object.keys(ERROR_MEANINGS) as ErrorCode[]).filter((code) => sentOf(code).length > 0);
    expect(CODES.toSorted()).toEqual(sent.toSorted());
  });

  it.each(CODES)("%s: what it means, and cause and cure of every check that it comes from", async (code) => {
    const page = await pageOf(code);
    expect(page).toContain(`<code>${code}</code>`);
    expect(page).toContain(ERROR_MEANINGS[code]);
    for (const [name, { finding, sentence, advice }] of sentOf(code)) {
      expect(page).toContain(`<code>${name}</code>`);
      expect(page).toContain(`Cure: ${advice}`);
      expect(page).toContain((finding ?? sentence ?? "").replaceAll(/\{(\w+)\}/g, "‹$1›"));
    }
  });

  it.each<[SignOnErrorCode, string]>([
    ["invalid_grant", `"error_uri": "${ISSUER}/problems/sign-on-invalid-grant"`],
    ["server_error", `"error_uri": "${ISSUER}/problems/sign-on-server-error"`],
    ["access_denied", `&error_uri=${ISSUER}/problems/sign-on-access-denied`],
  ])("%s: a sample as the application gets it", async (code, sample) => {
    expect(await pageOf(code)).toContain(sample);
  });

  it.each<[CheckName, readonly string[]]>([
    ["redirect_uri.not_registered", [en.errorPage.reasons.unregisteredRedirectUri.title]],
    ["link.expired", [en.errorPage.reasons.linkExpired.title]],
    ["logout.gone", [en.errorPage.reasons.logoutGone.title]],
    ["sign_in.unknown_person", [en.login.titleRefused]],
    ["sign_in.wrong_password", [en.login.titleRefused, en.setPassword.titleRefused]],
    ["sign_in.throttled", [en.login.titleRefused, en.setPassword.titleRefused]],
    ["code.expired", []],
  ])("the guide has the title of the page that a person sees for %s", (check, titles) => {
    expect(pageTitles(check, en)).toEqual(titles);
    const line =
      refusedSignIns()
        .split("\n")
        .find((one) => one.endsWith(`(\`${check}\`)`)) ?? "";
    expect([...line.matchAll(/“([^”]+)”/g)].map(([, title]) => title)).toEqual(titles);
  });

  it("says how to ask the operator, and links to the guide", async () => {
    expect(await pageOf("invalid_grant")).toContain('href="/docs/guides/when-a-sign-in-fails"');
  });

  it("has no page for a code that is never sent", async () => {
    expect((await call(portal.url, "/problems/sign-on-interaction-required")).status).toBe(404);
  });
});
