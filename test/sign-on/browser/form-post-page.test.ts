import fc from "fast-check";
import { scriptSource } from "../../../src/runtime/pages/page-headers.ts";
import { FORM_POST_SCRIPT, formPostPage } from "../../../src/sign-on/browser/form-post-page.ts";
import { en } from "../../../src/sign-on/texts/en.ts";
import { fieldsOf } from "../../support/form-post.ts";

const REDIRECT_URI = "https://app.example/cb?tenant=a%2Fb&x=\"'";
const page = (parameters: Readonly<Record<string, string>>, redirectUri = REDIRECT_URI) =>
  formPostPage({ redirectUri, parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })) }, en);

describe("the page that posts an answer (OAuth 2.0 Form Post Response Mode §2, R-X107)", () => {
  it("has the parameters in order, posts to the redirect URI, and a button for those without script", () => {
    const markup = page({ code: "c-_1", state: "st", iss: "https://sign-on.example" });
    expect(fieldsOf(markup)).toEqual({
      action: REDIRECT_URI,
      fields: [
        ["code", "c-_1"],
        ["state", "st"],
        ["iss", "https://sign-on.example"],
      ],
    });
    expect(markup).toMatch(/<form method="post" /);
    expect(markup).toContain(`<button class="primary" type="submit">${en.formPost.submit}</button>`);
  });

  it("runs the one script whose hash its headers name", () => {
    const scripts = [...page({ code: "c" }).matchAll(/<script>([^<]*)<\/script>/g)].map(([, text]) => text ?? "");
    expect(scripts.map(scriptSource)).toEqual([FORM_POST_SCRIPT]);
  });

  it("escapes all values: each comes out as it went in, and adds no element", () => {
    const elements = (markup: string) => markup.match(/<[a-z]+/g)?.length;
    const usual = elements(page({ code: "c", state: "s" }));
    const property = fc.property(fc.string({ unit: "binary" }), (state) => {
      const markup = page({ code: "c", state });
      return fieldsOf(markup).fields[1]?.[1] === state && elements(markup) === usual;
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });
});
