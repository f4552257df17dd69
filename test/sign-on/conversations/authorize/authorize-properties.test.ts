import fc from "fast-check";
import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { fieldsOf } from "../../../support/form-post.ts";
import type { World } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import { locationOf } from "./authorize-kit.ts";

const REGISTERED = "https://app.example:8443/Call-back/a%2Fb?tenant=x&y";

/** What a hand or an attacker changes: one character put in, taken out or replaced, or the whole rewritten in a way that URL parsers take for the same. */
const edits = fc.oneof(
  fc
    .record({
      at: fc.nat(REGISTERED.length),
      removed: fc.integer({ min: 0, max: 1 }),
      added: fc.oneof(
        fc.string({ unit: "grapheme-composite", minLength: 0, maxLength: 1 }),
        fc.constantFrom(
          "/",
          "\\",
          "#",
          "?",
          "@",
          "%",
          ":",
          ".",
          " ",
          "\t",
          "\r",
          "\n",
          "&",
          ";",
          "*",
          "A",
          "//",
          "%2f",
          "..",
          "./",
        ),
      ),
    })
    .map(({ at, removed, added }) => REGISTERED.slice(0, at) + added + REGISTERED.slice(at + removed)),
  fc.constantFrom(
    REGISTERED.toLowerCase(),
    REGISTERED.toUpperCase(),
    REGISTERED.replace("https", "http"),
    REGISTERED.replace("app.example", "APP.example"),
    REGISTERED.replace("app.example", "app.example."),
    REGISTERED.replace("app.example", "app.example@evil.example"),
    REGISTERED.replace("app.example", "user@app.example"),
    REGISTERED.replace("app.example", "аpp.example"),
    REGISTERED.replace(":8443", ""),
    REGISTERED.replace(":8443", ":443"),
    REGISTERED.replace(":8443", ":08443"),
    REGISTERED.replace("%2F", "%2f"),
    REGISTERED.replace("%2F", "/"),
    REGISTERED.replace("/Call-back", "/./Call-back"),
    REGISTERED.replace("/Call-back", "/x/../Call-back"),
    REGISTERED.replace("?tenant=x&y", ""),
    REGISTERED.replace("tenant=x&y", "y&tenant=x"),
    REGISTERED.replace("https://", "https:/"),
    REGISTERED.replace("https://", "//"),
    `${REGISTERED}#`,
    `${REGISTERED}&code=x`,
    ` ${REGISTERED}`,
    `${REGISTERED} `,
    encodeURI(REGISTERED),
    "",
  ),
);

describeSignOn("promises about every authorization request", (scene) => {
  let trusted: World;
  let browser: Browser;
  beforeAll(async () => {
    const { signOn, world } = scene();
    trusted = await withApplication(signOn, world, {
      redirectUris: [{ uri: REGISTERED, instanceId: world.instanceId }],
      consent: ConsentPolicy.NEVER,
    });
    browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(trusted, { redirect_uri: REGISTERED }), { email: world.email });
  });
  const ask = (more: Readonly<Record<string, string>>) =>
    browser.open(authorizePath(trusted, { redirect_uri: REGISTERED, ...more }));

  it("one edit to a registered redirect URI never yields a code nor a redirect (RFC 9700 statement 1, S1, S2)", async () => {
    const property = fc.asyncProperty(
      edits.filter((uri) => uri !== REGISTERED),
      fc.constantFrom<Record<string, string>>({}, { prompt: "none" }, { response_mode: "form_post" }, { scope: "x" }),
      async (redirect_uri, more) => {
        const answer = await ask({ redirect_uri, ...more });
        return answer.status === 400 && answer.headers.get("location") === null && !answer.text.includes("<form");
      },
    );
    await expect(fc.assert(property, { numRuns: 300 })).resolves.toBeUndefined();
    expect(locationOf(await ask({})).searchParams.has("code")).toBe(true);
  });

  // Half of a surrogate pair cannot be sent, NUL is refused (R-X26); 2,048 is the limit of every parameter (R-X12).
  const states = fc
    .string({ unit: "binary", maxLength: 300 })
    .filter((state) => state.isWellFormed() && !state.includes("\u0000"));

  it("any state comes back unchanged by query, with a code and with an error (S7)", async () => {
    const property = fc.asyncProperty(states, fc.boolean(), async (state, mistaken) => {
      const { searchParams } = locationOf(await ask({ state, ...(mistaken ? { scope: "x" } : {}) }));
      return searchParams.get("state") === state && searchParams.has(mistaken ? "error" : "code");
    });
    await expect(fc.assert(property, { numRuns: 200 })).resolves.toBeUndefined();
  });

  it("any state without line breaks comes back unchanged by form, with a code and with an error (R-X107)", async () => {
    const inOneLine = states.filter((state) => !/[\r\n]/.test(state));
    const property = fc.asyncProperty(inOneLine, fc.boolean(), async (state, mistaken) => {
      const answer = await ask({ state, response_mode: "form_post", ...(mistaken ? { scope: "x" } : {}) });
      const fields = new Map(fieldsOf(answer.text).fields);
      return fields.get("state") === state && fields.has(mistaken ? "error" : "code");
    });
    await expect(fc.assert(property, { numRuns: 200 })).resolves.toBeUndefined();
  });
});
