import { pacedClock } from "../../../../src/runtime/upkeep/sweep-clock.ts";
import { signOnSweepLoop } from "../../../../src/sign-on/sweep-loop.ts";
import { auditEntries } from "../../../support/audited.ts";
import { obtainCode, redeem } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import type { World } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import { publicApplication } from "../token/public-application.ts";
import {
  BODIES,
  basic,
  challengeOf,
  codeGrant,
  expectRefusal,
  inBody,
  type Parameters,
  refreshGrant,
  type Tokens,
  userinfo,
} from "../token/token-kit.ts";

/** 200, whatever the token was worth (RFC 7009 §2.2). */
function expectRevoked(answer: Answer) {
  expect(answer.status).toBe(200);
  expect(answer.text).toBe("");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
}

describe.each(BODIES)("POST /auth/revoke with a %s body (RFC 7009, R-S20)", (_, bodyOf) => {
  describeSignOn("from an application", (scene) => {
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
      call(scene().signOn.url, "/auth/revoke", { ...bodyOf(parameters), headers });
    const exchange = (form: Parameters) => call(scene().signOn.url, "/auth/token", { form });
    async function signedIn(world: World = scene().world) {
      const code = await obtainCode(scene().signOn.url, world);
      const tokens = (await exchange({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      const refresh = (token: string) => exchange({ ...refreshGrant(token), ...inBody(world) });
      return { world, tokens, refresh, status: async (of = tokens) => (await userinfo(scene(), of)).status };
    }

    it("ends a refresh token and everything of its family, and only that (§2.1, RFC 9700 statement 37)", async () => {
      const { world, tokens, refresh, status } = await signedIn();
      const other = await signedIn();
      expectRevoked(await send({ token: tokens.refresh_token, ...inBody(world) }));
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expect([await status(), await other.status()]).toEqual([401, 200]);
      expectRevoked(await send({ token: tokens.refresh_token, ...inBody(world) }));
    });

    it("ends the family by a refresh token that was replaced: it is the same authorization", async () => {
      const { world, tokens, refresh, status } = await signedIn();
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRevoked(await send({ token: tokens.refresh_token, ...inBody(world) }));
      expectRefusal(await refresh(next.refresh_token), 400, "invalid_grant");
      expect(await status(next)).toBe(401);
    });

    it("ends an access token by itself: neither its family nor its siblings (R-S20)", async () => {
      const { world, tokens, refresh, status } = await signedIn();
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRevoked(await send({ token: tokens.access_token, ...inBody(world) }));
      expectRevoked(await send({ token: tokens.access_token, ...inBody(world) }));
      expect([await status(tokens), await status(next)]).toEqual([401, 200]);
      expect((await refresh(next.refresh_token)).status).toBe(200);
    });

    it.each([
      ["the right hint", "refresh_token", "refresh_token"],
      ["the wrong hint", "refresh_token", "access_token"],
      ["an unknown hint", "refresh_token", "id_token"],
      ["an empty hint", "access_token", ""],
      ["the wrong hint", "access_token", "refresh_token"],
    ] as const)("takes %s for a hint only: %s with %s (§2.1)", async (_title, kind, token_type_hint) => {
      const { world, tokens, status } = await signedIn();
      expectRevoked(await send({ token: tokens[kind], token_type_hint, ...inBody(world) }));
      expect(await status()).toBe(401);
    });

    it("answers 200 without effect for tokens that are unknown, ended, no tokens at all, or of another application (§2.2, RFC 9700 statement 37)", async () => {
      const { world, tokens, status } = await signedIn();
      const other = await withApplication(scene().signOn, world);
      const idToken = tokens.id_token ?? "";
      const cut = tokens.access_token.slice(0, -1);
      for (const token of ["unknown", `ghr_${"A".repeat(43)}`, idToken, cut, "é🙂", "x".repeat(5_000)])
        expectRevoked(await send({ token, ...inBody(world) }));
      for (const token of [tokens.access_token, tokens.refresh_token])
        expectRevoked(await send({ token, ...inBody(other) }));
      expect(await status()).toBe(200);
    });

    it("authenticates the application as the token endpoint does (§2.1, R-S2, R-S3, RFC 9700 statement 28)", async () => {
      const { world, tokens, status } = await signedIn();
      const { id, secret } = world.application;
      const token = tokens.refresh_token;
      expectRefusal(await send({ token, client_id: id, client_secret: "wrong" }), 400, "invalid_client");
      expectRefusal(await send({ token, client_id: id }), 400, "invalid_client");
      expectRefusal(await send({ token, client_id: "app_unknown" }), 400, "invalid_client");
      expectRefusal(await send({ token }, basic(id, "wrong")), 401, "invalid_client");
      expectRefusal(await send({ token }), 400, "invalid_request");
      expectRefusal(await send({ token, client_secret: secret }, basic(id, secret)), 400, "invalid_request");
      expect(await status()).toBe(200);
      expectRevoked(await send({ token }, basic(id, secret)));
      expect(await status()).toBe(401);
    });

    it("lets a public application revoke its own tokens by its id", async () => {
      const world = await publicApplication(scene());
      const verifier = "v".repeat(43);
      const code = await obtainCode(scene().signOn.url, world, challengeOf(verifier));
      const tokens = (await exchange({ ...codeGrant(code), ...inBody(world), code_verifier: verifier })).json<Tokens>();
      expectRevoked(await send({ token: tokens.refresh_token, client_id: world.application.id }));
      expect((await userinfo(scene(), tokens)).status).toBe(401);
    });

    it.each<[string, Parameters]>([
      ["no token", {}],
      ["an empty token", { token: "" }],
    ])("refuses %s: invalid_request", async (_title, parameters) => {
      expectRefusal(await send({ ...parameters, ...inBody(scene().world) }), 400, "invalid_request");
    });

    it("leaves an audit entry for what it ended, and for nothing else", async () => {
      const world = await withApplication(scene().signOn, scene().world);
      const { tokens } = await signedIn(world);
      await send({ token: "unknown", ...inBody(world) });
      await send({ token: tokens.access_token, ...inBody(world) });
      await send({ token: tokens.access_token, ...inBody(world) });
      await send({ token: tokens.refresh_token, ...inBody(world) });
      const { store } = scene().signOn.opened;
      const entries = await auditEntries(store, ["action", "object"], { actor: world.application.id });
      expect(entries.filter(({ action }) => action.endsWith(".revoke"))).toEqual([
        { action: "accessToken.revoke", object: world.personId },
        { action: "tokenFamily.revoke", object: world.personId },
      ]);
    });
  });
});

describeSignOn("POST /auth/revoke: malformed requests (R-S1, S31)", (scene) => {
  it.each<[string, string, string]>([
    ["text/plain", "token=x", "text/plain"],
    ["JSON that is no object", "[]", "application/json"],
    ["a token that is no text", '{"token":1}', "application/json"],
    ["a token given twice", '{"token":"a","token":"b"}', "application/json"],
    ["a token given twice in a form", "token=a&token=b", "application/x-www-form-urlencoded"],
    ["half a surrogate pair", '{"token":"\\ud800"}', "application/json"],
    ["NUL", "token=%00", "application/x-www-form-urlencoded"],
  ])("refuses %s", async (_, body, type) => {
    const headers = { "content-type": type };
    expectRefusal(await call(scene().signOn.url, "/auth/revoke", { body, headers }), 400, "invalid_request");
  });

  it.each(["token", "token_type_hint", "client_id", "client_secret"])("refuses %s in the address", async (name) => {
    const form = { token: "x", ...inBody(scene().world) };
    const answer = await call(scene().signOn.url, `/auth/revoke?${name}=x`, { form });
    expectRefusal(answer, 400, "invalid_request");
  });

  it.each(["GET", "PUT", "DELETE"])("is POST only, not %s", async (method) => {
    expect((await call(scene().signOn.url, "/auth/revoke", { method })).status).toBe(405);
  });
});

describeSignOn("an access token that was revoked by itself", (scene) => {
  it("stays revoked when a clock that was a year ahead for some minutes is right again (R-S20, R-X370)", async () => {
    const { signOn, world } = scene();
    const tokens = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
    expectRevoked(await call(signOn.url, "/auth/revoke", { form: { token: tokens.access_token, ...inBody(world) } }));
    const right = signOn.clock.now();
    const ahead = { now: () => new Date(right.getTime() + 365 * 86_400_000) };
    let ranMs = 0;
    const sweepClock = pacedClock(ahead, right, () => ranMs);
    ranMs = 10 * 60_000;
    const stopping = new AbortController();
    await signOnSweepLoop(signOn.db, ahead, sweepClock).run(stopping.signal, async (work) => {
      const swept = await work(new AbortController().signal);
      stopping.abort();
      return swept;
    });
    expect(sweepClock.now()).toEqual(new Date(right.getTime() + 10 * 3_600_000));
    expect((await userinfo(scene(), tokens)).status).toBe(401);
    // Else the token would be refused for its family, which a wrong sweep removes too.
    expect(await signOn.db.selectFrom("sign_on_revoked_access_tokens").selectAll().execute()).toHaveLength(1);
  });
});
