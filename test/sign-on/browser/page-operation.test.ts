import { pageTitles } from "../../../src/sign-on/browser/error-page.ts";
import type { CheckName } from "../../../src/sign-on/refusals/catalogue.ts";
import { en } from "../../../src/sign-on/texts/en.ts";
import { eventually } from "../../support/eventually.ts";
import { type CallInit, call } from "../../support/http.ts";
import { describeSignOn } from "../sign-on-fixture.ts";

/** Each form of our pages: its operation, and where it is sent. */
const FORMS = [
  ["submitLogin", "/auth/login?interaction=x", { form_token: "x", email: "x", password: "x" }],
  ["submitConsent", "/auth/consent?interaction=x", { form_token: "x", decision: "approve" }],
  ["submitAccount", "/auth/account", { form_token: "x", action: "sign_out_everywhere" }],
  ["submitAccountSignIn", "/auth/account/sign-in", { form_token: "x", email: "x", password: "x" }],
  [
    "submitPasswordChange",
    "/auth/account/password",
    { form_token: "x", old_password: "x", password: "x", password_again: "x" },
  ],
  ["submitSignOut", "/auth/sign-out", { form_token: "x" }],
  ["submitSetPassword", "/auth/set-password?token=x", { form_token: "x", password: "x", password_again: "x" }],
] as const;

/** Each operation that applications post to: forms of other sites are what it is for. */
const POSTED = [
  ["authorizeByPost", "/auth/authorize"],
  ["submitLogout", "/auth/logout"],
] as const;

const PAGES = [
  ["authorize", "/auth/authorize?client_id=%zz"],
  ["showLogin", "/auth/login"],
  ["showConsent", "/auth/consent"],
  ["showAccount", "/auth/account?done=%zz"],
  ["showAccountSignIn", "/auth/account/sign-in?ui_locales=%zz"],
  ["showPasswordChange", "/auth/account/password?ui_locales=%zz"],
  ["logout", "/auth/logout?state=%zz"],
  ["showSignOut", "/auth/sign-out?logout=%zz"],
  ["showSignedOut", "/auth/signed-out?ui_locales=%zz"],
] as const;

/** A password link of which only a part arrived, or whose mail broke it: shown, and sent with a form. */
const BROKEN_LINKS = [
  ["showSetPassword", "/auth/set-password", {}],
  ["showSetPassword", "/auth/set-password?token=%zz", {}],
  [
    "submitSetPassword",
    "/auth/set-password",
    { method: "POST", form: { form_token: "x", password: "x", password_again: "x" } },
  ],
] as const;

const TEXT: CallInit = { method: "POST", body: "form_token=x", headers: { "content-type": "text/plain" } };

describeSignOn("a page that the edge refuses by itself (S10, S14, R-X122)", (scene) => {
  const refusal = async (path: string, init: CallInit) => {
    const { url, inspection } = scene().signOn;
    const { status, headers, text } = await call(url, path, init);
    const requestId = headers.get("x-request-id") ?? "";
    // What the edge notes by itself is on its way when the answer is.
    const explained = await eventually(
      () => inspection.explainRefusal({ requestId }).catch(() => undefined),
      (found) => found !== undefined,
    );
    // By its title the guide says which check it was.
    if (status === 400) {
      const [, title] = /<title>(.+) · Gatehouse<\/title>/.exec(text) ?? [];
      expect(pageTitles(explained?.check as CheckName, en)).toContain(title);
    }
    return [status, explained?.operation, explained?.check, explained?.error];
  };

  it.each(FORMS)("%s: a form of another site", async (operation, path, form) => {
    const init = { method: "POST", form, headers: { "sec-fetch-site": "cross-site" } };
    expect(await refusal(path, init)).toEqual([400, operation, "form.refused", ""]);
  });

  it.each(FORMS)("%s: a form without fields", async (operation, path) => {
    const init = { method: "POST", form: {} };
    expect(await refusal(path, init)).toEqual([400, operation, "page.malformed", ""]);
  });

  it.each([...FORMS.map(([operation, path]) => [operation, path] as const), ...POSTED])(
    "%s: no form at all",
    async (operation, path) => {
      expect(await refusal(path, TEXT)).toEqual([415, operation, "body.media_type", "invalid_request"]);
    },
  );

  it.each(POSTED)("%s: a form that cannot be read", async (operation, path) => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" };
    const init = { method: "POST", body: "client_id=%zz", headers };
    expect(await refusal(path, init)).toEqual([400, operation, "page.malformed", ""]);
  });

  it.each(PAGES)("%s: an address that cannot be read", async (operation, path) => {
    expect(await refusal(path, {})).toEqual([400, operation, "page.malformed", ""]);
  });

  it.each(BROKEN_LINKS)(
    "%s: a password link that cannot be read, %s, needs a new link",
    async (operation, path, init) => {
      expect(await refusal(path, init)).toEqual([400, operation, "link.unknown", ""]);
    },
  );
});
