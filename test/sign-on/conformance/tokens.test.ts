import { obtainCode } from "../../support/browser.ts";
import { type Answer, type CallInit, call } from "../../support/http.ts";
import type { World } from "../../support/world.ts";
import {
  basic,
  codeGrant,
  inBody,
  type Parameters,
  partOf,
  refreshGrant,
  type Tokens,
} from "../conversations/token/token-kit.ts";
import { describeSignOn, withApplication } from "../sign-on-fixture.ts";

/**
 * The modules of the OpenID Foundation's Basic plan (oidcc-basic-certification-test-plan, static client) about tokens and userinfo, each by
 * its name. Token calls are forms with client_secret_basic, as the suite makes them.
 */
describeSignOn("conformance modules about tokens (OpenID Connect Core)", (scene) => {
  const exchange = ({ application: { id, secret } }: World, form: Parameters) =>
    call(scene().signOn.url, "/auth/token", { form, headers: basic(id, secret) });
  async function signedIn(world = scene().world, parameters?: Parameters) {
    const code = await obtainCode(scene().signOn.url, world, parameters);
    const redeem = () => exchange(world, codeGrant(code));
    return { world, redeem, first: await redeem() };
  }
  const userinfo = (init: CallInit) => call(scene().signOn.url, "/auth/userinfo", init);
  const bearer = ({ access_token }: Tokens) => ({ authorization: `Bearer ${access_token}` });
  const expectInvalidGrant = (answer: Answer) => {
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.json()).toMatchObject({ error: "invalid_grant" });
  };
  function expectClaims(answer: Answer, tokens: Tokens) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.json<{ sub: string }>().sub).toBe(partOf(tokens.id_token ?? "", 1).sub);
  }

  it("oidcc-userinfo-get: GET with the token in the header answers JSON with the sub of the ID token", async () => {
    const tokens = (await signedIn()).first.json<Tokens>();
    expectClaims(await userinfo({ headers: bearer(tokens) }), tokens);
  });

  it("oidcc-userinfo-post-header: so does POST", async () => {
    const tokens = (await signedIn()).first.json<Tokens>();
    expectClaims(await userinfo({ method: "POST", headers: bearer(tokens) }), tokens);
  });

  it("oidcc-userinfo-post-body: and POST with the token in a form", async () => {
    const tokens = (await signedIn()).first.json<Tokens>();
    expectClaims(await userinfo({ form: { access_token: tokens.access_token } }), tokens);
  });

  it("oidcc-codereuse: a second use of a code is invalid_grant", async () => {
    const { first, redeem } = await signedIn();
    expect(first.status).toBe(200);
    expectInvalidGrant(await redeem());
  });

  it("oidcc-codereuse-30seconds: also after thirty seconds, and then the access token of the first use is refused", async () => {
    const { first, redeem } = await signedIn();
    const tokens = first.json<Tokens>();
    expectClaims(await userinfo({ headers: bearer(tokens) }), tokens);
    scene().signOn.clock.step(30_000);
    expectInvalidGrant(await redeem());
    const refused = await userinfo({ headers: bearer(tokens) });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer .*error="invalid_token"/);
  });

  it("oidcc-refresh-token: a refresh answers with Bearer tokens that no cache keeps, and no other application can use the token", async () => {
    const { world, first } = await signedIn(undefined, {
      scope: "openid profile email offline_access",
      prompt: "consent",
    });
    const second = await withApplication(scene().signOn, world);
    const { refresh_token } = first.json<Tokens>();
    expect(entropyBits(refresh_token)).toBeGreaterThanOrEqual(96);
    const refreshed = await exchange(world, refreshGrant(refresh_token));
    expect(refreshed.status).toBe(200);
    expect([refreshed.headers.get("cache-control"), refreshed.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    const next = refreshed.json<Tokens & { token_type: string }>();
    expect(next.token_type).toBe("Bearer");
    expect([next.access_token, next.refresh_token].filter((token) => entropyBits(token) < 96)).toEqual([]);
    // The module allows an ID token on refresh and judges it when there is one; ours never is (R-S10).
    expect(next.id_token).toBeUndefined();
    expect((await userinfo({ headers: bearer(next) })).status).toBe(200);
    const scoped = await exchange(world, { ...refreshGrant(next.refresh_token), scope: "openid" });
    expect(scoped.json<Tokens>().scope).toBe("openid");
    expectInvalidGrant(await exchange(second, refreshGrant(scoped.json<Tokens>().refresh_token)));
    expect((await exchange(world, refreshGrant(scoped.json<Tokens>().refresh_token))).status).toBe(200);
  });

  it("oidcc-server-client-secret-post: the same with the secret in the form", async () => {
    const { signOn, world } = scene();
    const form = { ...codeGrant(await obtainCode(signOn.url, world)), ...inBody(world) };
    const answer = await call(signOn.url, "/auth/token", { form });
    expect(answer.status).toBe(200);
    expectClaims(await userinfo({ headers: bearer(answer.json<Tokens>()) }), answer.json<Tokens>());
  });

  it.each<[string, readonly string[]]>([
    ["oidcc-scope-profile", ["name", "given_name", "family_name"]],
    ["oidcc-scope-email", ["email", "email_verified"]],
  ])("%s: userinfo has the claims of the scope that we have, none null or empty", async (module, names) => {
    const scope = `openid ${module.slice("oidcc-scope-".length)}`;
    const tokens = (await signedIn(undefined, { scope })).first.json<Tokens>();
    const claims = (await userinfo({ headers: bearer(tokens) })).json<Record<string, unknown>>();
    expect(Object.keys(claims)).toEqual(expect.arrayContaining([...names]));
    expect(Object.values(claims).filter((value) => value === null || value === "")).toEqual([]);
  });
});

/** Shannon entropy of the characters times their number, as the suite measures it. */
function entropyBits(text: string): number {
  const counts = Map.groupBy(text, (character) => character);
  const perCharacter = [...counts.values()]
    .map(({ length }) => length / text.length)
    .reduce((sum, share) => sum - share * Math.log2(share), 0);
  return perCharacter * text.length;
}
