import { type ConsentPageValues, consentPage } from "../../../../src/sign-on/conversations/consent/consent-page.ts";
import { en } from "../../../../src/sign-on/texts/en.ts";
import { HOSTILE_TEXTS, skeleton } from "../../../runtime/pages/skeleton.ts";

const values: ConsentPageValues = {
  formToken: "form-token",
  applicationName: "Harbour Payroll",
  redirectOrigin: "https://payroll.example",
  email: "maren@example.com",
  scopes: ["openid", "profile", "email", "offline_access"],
  otherAccount: "/auth/login?interaction=Zk3vQ9xT2bW7mL5cN8sRfG&account=other",
  action: "/auth/consent?interaction=Zk3vQ9xT2bW7mL5cN8sRfG",
};
const page = (changes: Partial<ConsentPageValues> = {}) => consentPage({ ...values, ...changes }, en);

describe("the consent page (R-S18)", () => {
  it("posts its form to the given path, with the token and one of two decisions", () => {
    expect(page()).toContain(`<form method="post" action="${values.action}">`);
    expect(page()).toContain('<input type="hidden" name="form_token" value="form-token">');
    expect(page().match(/<button[^>]*>/g)).toEqual([
      '<button class="primary" type="submit" name="decision" value="approve">',
      '<button type="submit" name="decision" value="deny">',
    ]);
  });

  it("focuses neither decision", () => {
    expect(page()).not.toContain("autofocus");
  });

  it("says who asks, who is asked, and where the way back leads; its one link is to another account (R-X205)", () => {
    expect(page()).toContain("Let <bdi>Harbour Payroll</bdi> know who you are?");
    expect(page()).toContain('<bdi class="value">maren@example.com</bdi>');
    expect(page()).toContain('<bdi class="value">https://payroll.example</bdi>');
    expect([...page().matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      values.otherAccount.replace("&", "&amp;"),
    ]);
  });

  it("breaks a long address behind its at sign", () => {
    const page = consentPage({ ...values, email: "maria.fernandez@northwind-traders.example" }, en);
    expect(page).toContain(
      '<bdi class="value"><span class="whole">maria<wbr>.fernandez@</span><wbr><span class="whole">northwind-traders</span><wbr>.example</bdi>',
    );
  });

  it("has a sentence for each scope, in the order asked for (R-S8)", () => {
    const lines = [...page().matchAll(/<li>([^<]*)<\/li>/g)].map(([, sentence]) => sentence);
    const { openid, profile, email, offline_access } = en.consent.scopes;
    expect(lines).toEqual([openid, profile, email, offline_access]);
  });

  it.each(["toString", "__proto__", "payroll:read"])("names the unknown scope %s", (scope) => {
    expect(page({ scopes: [scope] })).toContain(`<li>use the permission <code><bdi>${scope}</bdi></code></li>`);
  });

  it.each(HOSTILE_TEXTS)("keeps %.40j in its place", (text) => {
    const changes = { applicationName: text, email: text, redirectOrigin: text, formToken: text, action: text };
    expect(skeleton(page({ ...changes, scopes: [text] }))).toEqual(skeleton(page({ scopes: ["x"] })));
  });
});
