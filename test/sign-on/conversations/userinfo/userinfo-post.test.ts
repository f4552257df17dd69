import { obtainCode, redeem } from "../../../support/browser.ts";
import { type Answer, type CallInit, call, sendRaw } from "../../../support/http.ts";
import { challengeOf, oauthError } from "../../../support/oauth-error.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";

const REALM = 'Bearer realm="userinfo"';
const INVALID = `${REALM}, error="invalid_token", error_description="The access token is invalid or has expired. (req_…)"`;

function expectRefusal(answer: Answer, status: number, error: string, challenge: unknown) {
  expect([answer.status, challengeOf(answer)]).toEqual([status, challenge]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.json()).toEqual(oauthError(answer, error));
}

describeSignOn("POST /auth/userinfo (OIDC Core §5.3.1, RFC 6750 §2)", (scene) => {
  const post = (init: CallInit) => call(scene().signOn.url, "/auth/userinfo", { method: "POST", ...init });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  async function accessToken(scope = "openid profile email"): Promise<string> {
    const { signOn, world } = scene();
    const answer = await redeem(signOn.url, world, await obtainCode(signOn.url, world, { scope }));
    return answer.json<{ access_token: string }>().access_token;
  }
  const get = async (token: string) =>
    (await call(scene().signOn.url, "/auth/userinfo", { headers: bearer(token) })).json();
  const form = { "content-type": "application/x-www-form-urlencoded" };

  it.each<[string, (token: string) => CallInit]>([
    ["in the header, without a body", (token) => ({ headers: bearer(token) })],
    ["in the header, with an empty form", (token) => ({ headers: { ...bearer(token), ...form }, body: "" })],
    ["in the header, with a form of other things", (token) => ({ headers: bearer(token), form: { locale: "en" } })],
    [
      "in the header, with an empty token in the form",
      (token) => ({ headers: bearer(token), form: { access_token: "" } }),
    ],
    ["in a form body", (access_token) => ({ form: { access_token } })],
    ["in a form body beside other things", (access_token) => ({ form: { access_token, locale: "en" } })],
    [
      "in a form body with a charset",
      (token) => ({
        headers: { "content-type": `${form["content-type"]}; charset=UTF-8` },
        body: `access_token=${token}`,
      }),
    ],
  ])("returns the same as GET: the token %s", async (_, initOf) => {
    const token = await accessToken();
    const answer = await post(initOf(token));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(answer.json()).toEqual(await get(token));
  });

  it.each<[string, CallInit]>([
    ["nothing", {}],
    ["an empty form", { form: {} }],
    ["an empty token", { form: { access_token: "" } }],
    ["another scheme", { headers: { authorization: "Basic eDp5" } }],
  ])("asks for a token when there is none: %s (RFC 6750 §3.1)", async (_, init) => {
    expectRefusal(await post(init), 401, "invalid_token", REALM);
  });

  it.each<[string, CallInit]>([
    ["a wrong one in the form", { form: { access_token: "wrong" } }],
    ["a hostile one in the form", { form: { access_token: 'x"\r\nset-cookie: a=b' } }],
    ["a wrong one in the header", { headers: bearer("wrong") }],
  ])("refuses %s: 401 invalid_token", async (_, init) => {
    expectRefusal(await post(init), 401, "invalid_token", INVALID);
  });

  it("refuses a token in two places, be it the same: 400 invalid_request (RFC 6750 §2)", async () => {
    const token = await accessToken();
    const answer = await post({ headers: bearer(token), form: { access_token: token } });
    expectRefusal(answer, 400, "invalid_request", expect.stringMatching(/error="invalid_request"/));
  });

  it.each<[string, CallInit]>([
    ["JSON", { json: { access_token: "x" } }],
    ["text", { body: "access_token=x", headers: { "content-type": "text/plain" } }],
    ["a body of no type", { body: "access_token=x" }],
    ["a form with the token twice", { body: "access_token=x&access_token=x", headers: form }],
    ["a form with broken encoding", { body: "access_token=%zz", headers: form }],
  ])("refuses %s: 400 invalid_request", async (_, init) => {
    expectRefusal(await post(init), 400, "invalid_request", expect.stringMatching(/error="invalid_request"/));
  });

  it("refuses a token without openid: 403 insufficient_scope (R-S8)", async () => {
    const answer = await post({ form: { access_token: await accessToken("profile") } });
    expectRefusal(
      answer,
      403,
      "insufficient_scope",
      expect.stringMatching(/error="insufficient_scope".*scope="openid"/),
    );
  });

  it("takes no token from the address, and logs none (RFC 9700 statement 33, S31)", async () => {
    const token = await accessToken();
    const answer = await call(scene().signOn.url, `/auth/userinfo?access_token=${token}`, { form: {} });
    expectRefusal(answer, 401, "invalid_token", REALM);
    expect(JSON.stringify(scene().signOn.log.lines)).not.toContain(token);
  });

  it.each([
    ["alone", ""],
    ["beside one in the form", "access_token=x"],
  ])(
    "takes no token from two Authorization headers, %s, and says that there are two (RFC 6750 §3.1)",
    async (_, body) => {
      const token = await accessToken();
      const content = [`content-type: ${form["content-type"]}`, `content-length: ${body.length}`];
      const lines = [...content, `authorization: Bearer ${token}`, `authorization: Bearer ${token}`];
      const head = ["POST /auth/userinfo HTTP/1.1", "host: localhost", "connection: close", ...lines, "", ""].join(
        "\r\n",
      );
      const { answers } = await sendRaw(scene().signOn.url, head + body, { end: false });
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]?.json()).toMatchObject({
        error: "invalid_request",
        error_description: expect.stringMatching(/^The Authorization header is repeated\. /),
      });
    },
  );
});
