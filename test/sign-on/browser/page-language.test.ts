import { inLanguage, languageOf, pagesWith } from "../../../src/sign-on/browser/page-language.ts";

const request = (rawQuery: string, acceptLanguage?: string | readonly string[], rawForm = "") => ({
  rawQuery,
  rawForm,
  headers: acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage },
});

describe("the language of a request (R-X128)", () => {
  it.each([
    ["ui_locales before the browser's settings", request("ui_locales=de", "en"), "de", "de"],
    ["ui_locales of a form", request("", "en", "a=b&ui_locales=de-AT+en"), "de", "de"],
    ["the address before the form", request("ui_locales=en", undefined, "ui_locales=de"), "en", "en"],
    ["the browser's settings when ui_locales has none of ours", request("ui_locales=fr", "de-CH"), "de", undefined],
    ["the browser's settings", request("interaction=a", "de"), "de", undefined],
    ["settings in two headers", request("", ["fr", "de"]), "de", undefined],
    ["the first ui_locales of several", request("ui_locales=de&ui_locales=en"), "de", "de"],
    ["English", request(""), "en", undefined],
    ["English, whatever is malformed", request("ui_locales=%zz%00", "%%;;q=q"), "en", undefined],
  ])("is by %s", (_, asked, language, askedLanguage) => {
    const found = languageOf(asked);
    expect([found.texts.language, found.askedLanguage]).toEqual([language, askedLanguage]);
  });
});

describe("an address of ours", () => {
  it.each([
    ["/auth/account", undefined, "/auth/account"],
    ["/auth/account", "de", "/auth/account?ui_locales=de"],
    ["/auth/account?done=session", "de", "/auth/account?done=session&ui_locales=de"],
  ])("%s with %s is %s", (address, askedLanguage, expected) => {
    expect(inLanguage(address, { askedLanguage })).toBe(expected);
  });
});

describe("an operation in the language of its request", () => {
  const operation = pagesWith({})(({ texts }) => ({
    unchecked: true,
    handle: async () => ({ status: 200, type: "text/html", headers: { a: "b" }, body: texts.login.title }),
    invalid: async () => ({ status: 415, body: {} }),
  }));
  const german = { ...request("ui_locales=de"), body: undefined } as unknown as Parameters<typeof operation.invalid>[0];

  it("names it in the headers of a page, and of nothing else (RFC 9110 §8.5)", async () => {
    expect(await operation.handle(german)).toEqual({
      status: 200,
      type: "text/html",
      headers: { a: "b", "content-language": "de" },
      body: "Anmelden",
    });
    expect(await operation.invalid(german, [])).toEqual({ status: 415, body: {} });
  });

  it("stays one that checks its parameters itself", () => {
    expect(operation.unchecked).toBe(true);
  });
});
