import { errorPage } from "../../../src/sign-on/browser/error-page.ts";
import { helpAfterFailure, helpWithError } from "../../../src/sign-on/browser/support.ts";
import { signOnSettings } from "../../../src/sign-on/settings.ts";
import { de } from "../../../src/sign-on/texts/de.ts";
import { en } from "../../../src/sign-on/texts/en.ts";
import { HOSTILE_TEXTS, skeleton } from "../../runtime/pages/skeleton.ts";

const requestId = "req_4tGJ9sWmQ2xZbL7NcR5Kd";
const { schema } = signOnSettings["support-contact"];

describe("whom people ask for help (R-X196)", () => {
  it.each([
    ["help@company.example", "help@company.example"],
    ["it.help+sign-in@sub.company.example", "it.help+sign-in@sub.company.example"],
    ["https://company.example", "https://company.example/"],
    ["https://company.example:8443/help?topic=sign-in#top", "https://company.example:8443/help?topic=sign-in#top"],
    ["https://hilfe.exämple/", "https://hilfe.xn--exmple-cua/"],
  ])("is an e-mail address or an https link: %s", (text, contact) => {
    expect(schema.safeParse(text)).toEqual({ success: true, data: contact });
  });

  it.each([
    "",
    "help",
    "help@company",
    "help@company.example, more@company.example",
    "mailto:help@company.example",
    "help@company.example?bcc=other@evil.example",
    "Help <help@company.example>",
    "http://company.example/help",
    "https://",
    "https://user@company.example/",
    "https://user:password@company.example/",
    "javascript:alert(1)",
    "+49 30 123456",
    `https://company.example/${"a".repeat(250)}`,
    `${"a".repeat(250)}@company.example`,
  ])("is nothing else: %.60j", (text) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe(
      "must be an e-mail address, like help@company.example, or an https link",
    );
  });

  it("is a link to a new message with the reference in its subject", () => {
    const words = helpAfterFailure({ contact: "help@company.example", requestId }, en).toString();
    expect(words).toBe(
      `<p class="aside">Forgotten your password? Contact <a href="mailto:help@company.example?subject=Sign-in%2C%20reference%20${requestId}"><bdi>help@company.example</bdi></a>. Give this reference: <code>${requestId}</code></p>`,
    );
  });

  it("is a link to a page, shown by host and path", () => {
    const words = helpWithError({ contact: "https://company.example/help/?from=sign-in", requestId }, en).toString();
    expect(words).toContain('<a href="https://company.example/help/?from=sign-in"><bdi>company.example/help</bdi></a>');
  });

  it.each([
    [en.language, en, "the administrator of your company"],
    [de.language, de, "die Administration Ihrer Firma"],
  ])("is the person's company where the operator names nothing, in each language: %s", (_, texts, company) => {
    const without = { contact: undefined, requestId };
    const words = [helpAfterFailure(without, texts), helpWithError(without, texts)].map(String);
    expect(words.map((text) => text.includes(company))).toEqual([true, true]);
    expect(words.join()).not.toContain("<a ");
    expect(words[0]).toContain(`<code>${requestId}</code>`);
  });

  it.each([
    [en.language, en],
    [de.language, de],
  ])("is on every error page, in each language: %s", (_, texts) => {
    const contact = "help@company.example";
    const without = [false, true].map((isOfApplication) => {
      const expected = helpWithError({ contact, requestId, isOfApplication }, texts).toString();
      const reasons = isOfApplication
        ? (["unreadable", "logoutHint"] as const)
        : (["linkExpired", "linkUsed", "serverError"] as const);
      return reasons.filter(
        (reason) => !errorPage({ reason, requestId, supportContact: contact }, texts).includes(expected),
      );
    });
    expect(without).toEqual([[], []]);
  });

  it.each(HOSTILE_TEXTS)("stays in its place when it is %.40j", (text) => {
    const shown = (contact: string) =>
      skeleton(errorPage({ reason: "linkUsed", requestId, supportContact: contact }, en));
    expect(shown(text)).toEqual(shown("help@company.example"));
  });
});
