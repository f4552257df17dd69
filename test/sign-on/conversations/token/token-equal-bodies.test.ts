import fc from "fast-check";
import { obtainCode } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { withoutReference } from "../../../support/oauth-error.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";
import { basic, codeGrant, inBody, type Parameters, refreshGrant, type Tokens } from "./token-kit.ts";

describeSignOn("POST /auth/token: JSON and form with the same content (R-S1)", (scene) => {
  // Neither body can hold NUL or half a surrogate pair.
  const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !value.includes("\0"));
  const maybe = (...values: readonly string[]) =>
    fc.option(fc.oneof(fc.constantFrom(...values, ""), text), { nil: undefined });

  /** All of an answer but what is new in each: the access token, and the request id of an error. */
  const comparable = (answer: Answer) => {
    const { status, headers } = answer;
    const { access_token: _, ...rest } = JSON.parse(withoutReference(answer)) as Tokens;
    const names = ["content-type", "cache-control", "pragma", "www-authenticate"];
    return { status, rest, headers: names.map((name) => headers.get(name)) };
  };

  it("get the same answer, whatever they contain", async () => {
    const { signOn, world } = scene();
    const { id, secret } = world.application;
    const code = await obtainCode(signOn.url, world);
    const redeemed = await call(signOn.url, "/auth/token", { form: { ...codeGrant(code), ...inBody(world) } });
    const { refresh_token } = redeemed.json<Tokens>();
    const requests = fc.record({
      body: fc.record({
        grant_type: maybe("refresh_token", "authorization_code", "password", "REFRESH_TOKEN"),
        refresh_token: maybe(refresh_token, `${refresh_token} `),
        code: maybe("unknown"),
        redirect_uri: maybe("http://localhost:9/callback"),
        code_verifier: maybe("x".repeat(43)),
        scope: maybe("openid profile email", "openid", "openid  email", "admin"),
        client_id: maybe(id),
        client_secret: maybe(secret, "wrong"),
        more: maybe("x"),
        proto__: maybe("x"),
      }),
      authorization: fc.option(fc.constantFrom(basic(id, secret), basic(id, "wrong"), { authorization: "Bearer x" }), {
        nil: undefined,
      }),
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requests, async ({ body, authorization }) => {
        const parameters = Object.fromEntries(
          Object.entries(body).filter((pair): pair is [string, string] => pair[1] !== undefined),
        );
        const [json, form] = [
          await call(signOn.url, "/auth/token", { json: parameters, headers: authorization ?? {} }),
          await call(signOn.url, "/auth/token", { form: parameters, headers: authorization ?? {} }),
        ];
        statuses.add(json.status);
        expect(comparable(form)).toEqual(comparable(json));
      }),
      { numRuns: 300 },
    );
    // The property says something about both kinds of refusal.
    expect([...statuses]).toEqual(expect.arrayContaining([400, 401]));
  });

  it("get the same tokens for the same right request", async () => {
    const { signOn, world } = scene();
    const scopes = fc.shuffledSubarray(["openid", "profile", "email"], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        scopes,
        fc.boolean(),
        fc.dictionary(text, text, { maxKeys: 4 }),
        async (scope, asHeader, more) => {
          const { id, secret } = world.application;
          const code = await obtainCode(signOn.url, world);
          const redeemed = await call(signOn.url, "/auth/token", { form: { ...codeGrant(code), ...inBody(world) } });
          const known: Parameters = {
            ...refreshGrant(redeemed.json<Tokens>().refresh_token),
            scope: scope.join(" "),
            ...(asHeader ? {} : inBody(world)),
          };
          const headers = asHeader ? basic(id, secret) : {};
          const parameters = {
            ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`x${name}`, value])),
            ...known,
          };
          const json = await call(signOn.url, "/auth/token", { json: parameters, headers });
          const form = await call(signOn.url, "/auth/token", { form: parameters, headers });
          expect(json.status).toBe(200);
          expect(comparable(form)).toEqual(comparable(json));
        },
      ),
      { numRuns: 30 },
    );
  });
});
