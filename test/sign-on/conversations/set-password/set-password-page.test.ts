import type { PasswordFlaw } from "../../../../generated/proto/gatehouse/sign_on/v1/passwords.ts";
import {
  passwordSetPage,
  type SetPasswordPageValues,
  setPasswordPage,
} from "../../../../src/sign-on/conversations/set-password/set-password-page.ts";
import { en } from "../../../../src/sign-on/texts/en.ts";
import { HOSTILE_TEXTS, skeleton } from "../../../runtime/pages/skeleton.ts";

const values: SetPasswordPageValues = {
  formToken: "form-token",
  email: "maren@example.com",
  purpose: "PASSWORD_LINK_PURPOSE_INVITATION",
  flaw: "PASSWORD_FLAW_UNSPECIFIED",
  lengthMin: 15,
  lengthMax: 1024,
  action: "/auth/set-password?token=Zk3vQ9xT2bW7mL5cN8sRfG",
};
const page = (changes: Partial<SetPasswordPageValues> = {}) => setPasswordPage({ ...values, ...changes }, en);
const field = (markup: string, id: string) => markup.match(new RegExp(`<input[^>]*id="${id}"[^>]*>`))?.[0] ?? "";

describe("the page of a password link (R-S19)", () => {
  it("posts its form to the given path, with the token", () => {
    expect(page()).toContain(`<form method="post" action="${values.action}">`);
    expect(page()).toContain('<input type="hidden" name="form_token" value="form-token">');
  });

  it("lets password managers and paste do their work: nothing cuts off, nothing hinders (NIST SP 800-63B)", () => {
    for (const id of ["password", "again"]) {
      expect(field(page(), id)).toContain('type="password" autocomplete="new-password" required');
      expect(field(page(), id)).not.toMatch(/maxlength|pattern|onpaste|value=/);
    }
    expect(page()).toContain('<input type="text" autocomplete="username" readonly hidden value="maren@example.com">');
    expect(page()).toContain('for <bdi class="value">maren@example.com</bdi>');
  });

  it("says what the password is for, and the rules before they are broken", () => {
    expect(page()).toContain("<h1>Choose a password</h1>");
    expect(page({ purpose: "PASSWORD_LINK_PURPOSE_RESET" })).toContain("<h1>Choose a new password</h1>");
    expect(page()).toContain("At least 15 characters, of any kind.");
    expect(field(page(), "password")).toContain('aria-describedby="rules"');
    expect(page()).not.toMatch(/refusal|role="alert"|aria-invalid/);
  });

  it.each<[PasswordFlaw, string]>([
    ["PASSWORD_FLAW_TOO_SHORT", "at least 15 characters"],
    ["PASSWORD_FLAW_TOO_LONG", "at most 1,024 characters"],
    ["PASSWORD_FLAW_PATTERN", "repeats itself"],
    ["PASSWORD_FLAW_COMMON", "too common"],
    ["PASSWORD_FLAW_PERSONAL", "your name"],
    ["PASSWORD_FLAW_DIFFERENT", "not the same"],
  ])("says %s once, as an alert that describes the field", (flaw, words) => {
    const refused = page({ flaw });
    expect(refused).toMatch(new RegExp(`<p class="refusal" id="refusal" role="alert">[^<]*${words}[^<]*</p>`));
    expect(refused).toContain("<title>Password not accepted · Gatehouse</title>");
    expect(field(refused, "password")).toContain('aria-invalid="true" aria-describedby="refusal rules"');
  });

  it.each<[PasswordFlaw, readonly string[]]>([
    ["PASSWORD_FLAW_TOO_SHORT", ["password"]],
    ["PASSWORD_FLAW_TOO_LONG", ["password"]],
    ["PASSWORD_FLAW_PATTERN", ["password"]],
    ["PASSWORD_FLAW_COMMON", ["password"]],
    ["PASSWORD_FLAW_PERSONAL", ["password"]],
    ["PASSWORD_FLAW_DIFFERENT", ["password", "again"]],
  ])("marks the fields that are wrong, and no other: %s", (flaw, wrong) => {
    const marked = ["password", "again"].filter((id) => field(page({ flaw }), id).includes('aria-invalid="true"'));
    expect(marked).toEqual(wrong);
  });

  it("leads on to the account", () => {
    const set = passwordSetPage({ email: "maren@example.com", account: "/auth/account?ui_locales=de" }, en);
    expect(set).toContain('<a class="button" href="/auth/account?ui_locales=de">Sign in to your account</a>');
  });

  it.each(HOSTILE_TEXTS)("keeps %.40j in its place", (text) => {
    const expected = skeleton(page({ email: "x" }));
    expect(skeleton(page({ email: text, formToken: text, action: text }))).toEqual(expected);
    const set = (email: string) => skeleton(passwordSetPage({ email, account: "/auth/account" }, en));
    expect(set(text)).toEqual(set("x"));
  });
});
