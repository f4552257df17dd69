import { obtainCode } from "../../support/browser.ts";
import { type CallInit, call } from "../../support/http.ts";
import { publicApplication } from "../conversations/token/public-application.ts";
import { challengeOf, codeGrant, inBody, refreshGrant, type Tokens } from "../conversations/token/token-kit.ts";
import { describeSignOn, withApplication } from "../sign-on-fixture.ts";

const OWN = "https://app.example";
const OTHER = "https://other.example:8443";
const STRANGER = "https://evil.example";
const REGISTERED = ["/auth/token", "/auth/revoke", "/auth/userinfo"];
const PUBLIC = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/jwks.json",
];

describeSignOn("calls from pages of other origins (R-S15, RFC 9700 statement 34, S41, R-X114)", (scene) => {
  let world: Awaited<ReturnType<typeof publicApplication>>;
  beforeAll(async () => {
    world = await publicApplication(scene(), { corsOrigins: [OWN] });
    await withApplication(scene().signOn, scene().world, { corsOrigins: [OTHER] });
  });
  const send = (path: string, origin: string | undefined, init: CallInit = {}) =>
    call(scene().signOn.url, path, { ...init, headers: { ...(origin && { origin }), ...init.headers } });
  const preflight = (path: string, origin: string, method = "POST") =>
    send(path, origin, { method: "OPTIONS", headers: { "access-control-request-method": method } });
  async function tokens(): Promise<Tokens> {
    const verifier = "v".repeat(43);
    const code = await obtainCode(scene().signOn.url, world, challengeOf(verifier));
    const form = { ...codeGrant(code), ...inBody(world), code_verifier: verifier };
    return (await send("/auth/token", OWN, { form })).json<Tokens>();
  }

  it.each(REGISTERED)("%s: a preflight of any registered origin passes, another gets nothing", async (path) => {
    const answers = await Promise.all([OWN, OTHER, STRANGER, "null"].map((origin) => preflight(path, origin)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual([OWN, OTHER, null, null]);
    expect(answers.map(({ headers }) => headers.get("vary"))).toEqual(Array(4).fill("Origin"));
    expect(answers.map(({ headers }) => headers.get("access-control-allow-credentials"))).toEqual(Array(4).fill(null));
    const [passed, , refused] = answers;
    const allowed = ["access-control-allow-methods", "access-control-allow-headers", "access-control-max-age"];
    expect(allowed.map((name) => passed?.headers.get(name))).toEqual([
      path === "/auth/userinfo" ? "GET, HEAD, POST" : "POST",
      "authorization, content-type, if-none-match, traceparent",
      "600",
    ]);
    expect(allowed.map((name) => refused?.headers.get(name))).toEqual([null, null, null]);
  });

  it.each(PUBLIC)("%s: everybody's pages may read it", async (path) => {
    const answers = [await send(path, STRANGER), await send(path, undefined), await preflight(path, STRANGER, "GET")];
    expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual(["*", "*", "*"]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204]);
    const refused = await send(`${path}?x=%zz`, STRANGER);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([400, "*"]);
  });

  it("lets pages of any origin ask whether their copy of the keys is current, and read its tag", async () => {
    const jwks = "/.well-known/jwks.json";
    const asked = await preflight(jwks, STRANGER, "GET");
    expect(asked.headers.get("access-control-allow-headers")).toContain("if-none-match");
    const first = await send(jwks, STRANGER);
    const again = await send(jwks, STRANGER, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([first, again].map(({ status, headers }) => [status, headers.get("access-control-expose-headers")])).toEqual(
      [
        [200, "etag, x-request-id"],
        [304, "etag, x-request-id"],
      ],
    );
  });

  it.each(["/auth/authorize", "/auth/login", "/auth/consent"])(
    "%s: pages of no origin may, and there is no preflight",
    async (path) => {
      expect((await preflight(path, OWN)).status).toBe(405);
      const answer = await send(path, OWN);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  it("lets pages of its own application read a token answer, granted or refused", async () => {
    const { refresh_token } = await tokens();
    const ask = (origin: string, token: string) =>
      send("/auth/token", origin, { form: { ...refreshGrant(token), ...inBody(world) } });
    const answers = [
      await ask(OWN, refresh_token),
      await ask(OWN, "unknown"),
      await ask(OTHER, refresh_token),
      await ask(STRANGER, "unknown"),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get("access-control-allow-origin")])).toEqual([
      [200, OWN],
      [400, OWN],
      [200, null],
      [400, null],
    ]);
    expect(answers.map(({ headers }) => headers.get("vary"))).toEqual(Array(4).fill("Origin"));
    expect(answers.map(({ headers }) => headers.get("access-control-allow-credentials"))).toEqual(Array(4).fill(null));
    expect(answers[0]?.headers.get("access-control-expose-headers")).toContain("x-request-id");
  });

  it("lets pages of any registered origin read a refusal that names no application, so that they learn why", async () => {
    const form = { grant_type: "refresh_token" };
    const answers = await Promise.all([OWN, OTHER, STRANGER].map((origin) => send("/auth/token", origin, { form })));
    expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual([OWN, OTHER, null]);
    const unreadable = await send("/auth/token", OWN, { body: "{", headers: { "content-type": "application/json" } });
    expect(unreadable.headers.get("access-control-allow-origin")).toBe(OWN);
  });

  it("lets pages of the token's application read claims and refusals, by GET and POST", async () => {
    const { access_token } = await tokens();
    const authorization = `Bearer ${access_token}`;
    const get = (origin: string) => send("/auth/userinfo", origin, { headers: { authorization } });
    const post = (origin: string) => send("/auth/userinfo", origin, { form: { access_token } });
    const answers = [await get(OWN), await post(OWN), await get(OTHER), await post(OTHER), await get(STRANGER)];
    expect(answers.map(({ status, headers }) => [status, headers.get("access-control-allow-origin")])).toEqual([
      [200, OWN],
      [200, OWN],
      [200, null],
      [200, null],
      [200, null],
    ]);
    await send("/auth/revoke", OWN, { form: { token: access_token, ...inBody(world) } });
    const ended = await get(OWN);
    expect([ended.status, ended.headers.get("access-control-allow-origin")]).toEqual([401, OWN]);
    expect(ended.headers.get("access-control-expose-headers")).toContain("www-authenticate");
  });

  it.each([
    "null",
    "",
    "*",
    `${OWN}/`,
    `${OWN}:443`,
    "HTTPS://app.example",
    "https://APP.example",
    "http://app.example",
    "https://app.example.evil.example",
    "https://evil.example?https://app.example",
    "https://app_example",
    "https://%",
    `https://${"a".repeat(400)}.example`,
    '","',
  ])("does not take %j for the registered origin", async (origin) => {
    const form = { ...refreshGrant("unknown"), ...inBody(world) };
    const answers = [await send("/auth/token", origin, { form }), await preflight("/auth/token", origin)];
    expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual([null, null]);
  });

  it("forgets the origins of an application that is disabled", async () => {
    const origin = "https://gone.example";
    const { application } = await withApplication(scene().signOn, scene().world, { corsOrigins: [origin] });
    expect((await preflight("/auth/token", origin)).headers.get("access-control-allow-origin")).toBe(origin);
    await scene()
      .signOn.db.updateTable("sign_on_applications")
      .set({ disabled_at: 1 })
      .where("id", "=", application.id)
      .execute();
    expect((await preflight("/auth/token", origin)).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("plain OPTIONS lists the methods and allows nothing (RFC 9110 §9.3.7)", async () => {
    const answer = await send("/auth/token", undefined, { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
    expect(answer.headers.get("access-control-allow-methods")).toBeNull();
  });
});
