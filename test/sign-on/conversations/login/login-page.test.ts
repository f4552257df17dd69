import { type LoginPageValues, loginPage } from "../../../../src/sign-on/browser/sign-in-pages.ts";
import { en } from "../../../../src/sign-on/texts/en.ts";
import { HOSTILE_TEXTS, skeleton } from "../../../runtime/pages/skeleton.ts";

const values: LoginPageValues = {
  formToken: "form-token",
  applicationName: "Harbour Payroll",
  email: "",
  refused: false,
  action: "/auth/login?interaction=Zk3vQ9xT2bW7mL5cN8sRfG",
};
const page = (changes: Partial<LoginPageValues> = {}) => loginPage({ ...values, ...changes }, en);
const field = (markup: string, name: string) => markup.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0] ?? "";

describe("the login page (R-S17)", () => {
  it("posts its form to the given path, with the token", () => {
    expect(page()).toContain(`<form method="post" action="${values.action}">`);
    expect(field(page(), "form_token")).toBe('<input type="hidden" name="form_token" value="form-token">');
  });

  it("names the application", () => {
    expect(page()).toContain("to continue to <bdi>Harbour Payroll</bdi>");
  });

  it("labels both fields, also for password managers", () => {
    expect(page()).toMatch(/<label for="email">[^<]+<\/label>/);
    expect(page()).toMatch(/<label for="password">[^<]+<\/label>/);
    expect(field(page(), "email")).toMatch(/id="email".*autocomplete="username"/);
    expect(field(page(), "password")).toMatch(/id="password".*type="password".*autocomplete="current-password"/);
  });

  it("puts the cursor where something is missing", () => {
    const filled = page({ email: "maren@example.com" });
    expect([field(page(), "email"), field(filled, "password")].map((tag) => tag.includes("autofocus"))).toEqual([
      true,
      true,
    ]);
    expect([field(page(), "password"), field(filled, "email")].map((tag) => tag.includes("autofocus"))).toEqual([
      false,
      false,
    ]);
  });

  it("fills in the e-mail address, never a password", () => {
    const filled = page({ email: "maren@example.com", refused: true });
    expect(field(filled, "email")).toContain('value="maren@example.com"');
    expect(field(filled, "password")).not.toContain("value=");
  });

  it("says a refusal once, as an alert that describes both fields", () => {
    const refused = page({ refused: true });
    expect(refused).toContain(`<p class="refusal" id="refusal" role="alert">${en.login.refused}</p>`);
    expect(refused).toContain("<title>Not signed in · Gatehouse</title>");
    for (const name of ["email", "password"]) {
      expect(field(refused, name)).toContain('aria-invalid="true" aria-describedby="refusal"');
    }
    expect(page()).not.toMatch(/refusal|alert|aria-invalid/);
  });

  it.each([
    [1, "1 second"],
    [10, "10 seconds"],
    [60, "60 seconds"],
    [61, "2 minutes"],
    [900, "15 minutes"],
  ])("says how long to wait, %d seconds, as an alert that blames no field (R-X87)", (waitSeconds, words) => {
    const waiting = page({ email: "maren@example.com", waitSeconds });
    expect(waiting).toContain(`<p class="refusal" id="refusal" role="alert">${en.login.wait(waitSeconds)}</p>`);
    expect(en.login.wait(waitSeconds)).toContain(` ${words},`);
    expect(waiting).toContain("<title>Not signed in · Gatehouse</title>");
    expect(waiting).not.toMatch(/aria-invalid|is wrong/);
    // The field that has the focus says it, too.
    expect(field(waiting, "password")).toContain('aria-describedby="refusal"');
  });

  it.each(HOSTILE_TEXTS)("keeps %.40j in its place", (text) => {
    const expected = skeleton(page({ email: "x" }));
    expect(skeleton(page({ applicationName: text, email: text, formToken: text, action: text }))).toEqual(expected);
  });
});
