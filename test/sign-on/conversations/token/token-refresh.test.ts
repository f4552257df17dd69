import { obtainCode } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import type { World } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import {
  BODIES,
  basic,
  codeGrant,
  expectAnswer,
  expectRefusal,
  inBody,
  type Parameters,
  partOf,
  refreshGrant,
  type Tokens,
  userinfo,
} from "./token-kit.ts";

describe.each(BODIES)("POST /auth/token with a %s body (R-S1)", (_, bodyOf) => {
  describeSignOn("using a refresh token (RFC 6749 §6, R-S10)", (scene) => {
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
      call(scene().signOn.url, "/auth/token", { ...bodyOf(parameters), headers });
    async function signedIn(application?: World, parameters?: Parameters) {
      const world = application ?? scene().world;
      const code = await obtainCode(scene().signOn.url, world, parameters);
      const tokens = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
      const refresh = (token: string, more: Parameters = {}) =>
        send({ ...refreshGrant(token), ...inBody(world), ...more });
      return { world, tokens, refresh };
    }

    it("answers with a new access token and a new refresh token, never an ID token", async () => {
      const { world, tokens, refresh } = await signedIn();
      const answer = await refresh(tokens.refresh_token);
      expectAnswer(answer, 200);
      const next = answer.json<Tokens>();
      expect(next).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: expect.stringMatching(/^ghr_[\w-]{64}$/),
        scope: "openid profile email",
      });
      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      expect(partOf(next.access_token, 1).jti).not.toBe(partOf(tokens.access_token, 1).jti);
      expect((await userinfo(scene(), next)).status).toBe(200);
      expect((await userinfo(scene(), tokens)).status).toBe(200);
      expectAnswer(
        await send(refreshGrant(next.refresh_token), basic(world.application.id, world.application.secret)),
        200,
      );
    });

    it("may narrow the scopes and never widens them (S26)", async () => {
      const { tokens, refresh } = await signedIn(undefined, { scope: "openid email" });
      const narrow = (await refresh(tokens.refresh_token, { scope: "email" })).json<Tokens>();
      expect([narrow.scope, partOf(narrow.access_token, 1).scope]).toEqual(["email", "email"]);
      expect((await userinfo(scene(), narrow)).status).toBe(403);
      expectRefusal(await refresh(narrow.refresh_token, { scope: "openid email profile" }), 400, "invalid_scope");
      for (const scope of ["openid  email", " ", "email "]) {
        const answer = await refresh(narrow.refresh_token, { scope });
        expectRefusal(answer, 400, "invalid_scope");
        const { error_description } = answer.json<{ readonly error_description: string }>();
        expect(error_description).toContain("separated by single spaces");
      }
      expectRefusal(await refresh(narrow.refresh_token, { scope: "admin" }), 400, "invalid_scope");
      const whole = (await refresh(narrow.refresh_token)).json<Tokens>();
      expect(whole.scope).toBe("openid email");
      const same = (await refresh(whole.refresh_token, { scope: "email openid" })).json<Tokens>();
      expect(same.scope).toBe("openid email");
      expect((await refresh(same.refresh_token, { scope: "" })).json<Tokens>().scope).toBe("openid email");
    });

    it("takes a refresh token once where there is no window: a second use is theft and ends the family, and only that (S24, RFC 9700 §4.14.2)", async () => {
      const { signOn, world } = scene();
      const { tokens, refresh } = await signedIn(await withApplication(signOn, world, { refreshRepeatSeconds: 0 }));
      const other = await signedIn();
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expectRefusal(await refresh(next.refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), tokens)).status).toBe(401);
      expect((await userinfo(scene(), next)).status).toBe(401);
      expect((await userinfo(scene(), other.tokens)).status).toBe(200);
      expectAnswer(await other.refresh(other.tokens.refresh_token), 200);
    });

    it("takes an old refresh token for theft as long as the family lives, also after days", async () => {
      const { tokens, refresh } = await signedIn();
      let latest = tokens;
      for (let day = 0; day < 3; day++) {
        scene().signOn.clock.step(86_400_000);
        latest = (await refresh(latest.refresh_token)).json<Tokens>();
      }
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expectRefusal(await refresh(latest.refresh_token), 400, "invalid_grant");
    });

    it("works only for its own application: another one's attempt changes nothing (S26)", async () => {
      const { world, tokens, refresh } = await signedIn();
      const other = await withApplication(scene().signOn, world);
      const stolen = () => send({ ...refreshGrant(tokens.refresh_token), ...inBody(other) });
      expectRefusal(await stolen(), 400, "invalid_grant");
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      expectRefusal(await stolen(), 400, "invalid_grant");
      expectAnswer(await refresh(next.refresh_token), 200);
    });

    it("is not spent by a failed authentication", async () => {
      const { world, tokens, refresh } = await signedIn();
      const { id } = world.application;
      expectRefusal(await send({ ...refreshGrant(tokens.refresh_token), client_id: id }), 400, "invalid_client");
      expectRefusal(
        await send({ ...refreshGrant(tokens.refresh_token), client_id: id, client_secret: "x" }),
        400,
        "invalid_client",
      );
      expectRefusal(await send(refreshGrant(tokens.refresh_token), basic(id, "x")), 401, "invalid_client");
      expectRefusal(await send(refreshGrant(tokens.refresh_token)), 400, "invalid_request");
      expectAnswer(await refresh(tokens.refresh_token), 200);
    });

    it.each<[string, string, (tokens: Tokens) => Parameters]>([
      ["no token", "invalid_request", () => ({ grant_type: "refresh_token" })],
      ["an empty token", "invalid_request", () => refreshGrant("")],
      ["an unknown token", "invalid_grant", () => refreshGrant(`ghr_${"A".repeat(43)}`)],
      ["a token without its prefix", "invalid_grant", ({ refresh_token }) => refreshGrant(refresh_token.slice(4))],
      ["a token with a space", "invalid_grant", ({ refresh_token }) => refreshGrant(`${refresh_token} `)],
      ["a token cut short", "invalid_grant", ({ refresh_token }) => refreshGrant(refresh_token.slice(0, -1))],
      ["an access token", "invalid_grant", ({ access_token }) => refreshGrant(access_token)],
      ["an ID token", "invalid_grant", ({ id_token = "" }) => refreshGrant(id_token)],
      ["the refresh token as a code", "invalid_grant", ({ refresh_token }) => codeGrant(refresh_token)],
    ])("refuses %s: %s", async (_, error, parametersOf) => {
      const { world, tokens, refresh } = await signedIn();
      expectRefusal(await send({ ...parametersOf(tokens), ...inBody(world) }), 400, error);
      expectAnswer(await refresh(tokens.refresh_token), 200);
    });

    it("takes no code for a refresh token", async () => {
      const { signOn, world } = scene();
      const code = await obtainCode(signOn.url, world);
      expectRefusal(await send({ ...refreshGrant(code), ...inBody(world) }), 400, "invalid_grant");
      expectAnswer(await send({ ...codeGrant(code), ...inBody(world) }), 200);
    });

    it("is good for thirty days without use, and the family for 180 (R-S9)", async () => {
      const { clock } = scene().signOn;
      const idle = await signedIn();
      const used = await signedIn();
      clock.step(30 * 86_400_000 - 1);
      let latest = (await used.refresh(used.tokens.refresh_token)).json<Tokens>();
      clock.step(1);
      expectRefusal(await idle.refresh(idle.tokens.refresh_token), 400, "invalid_grant");
      for (let month = 2; month < 7; month++) {
        clock.step(29 * 86_400_000);
        latest = (await used.refresh(latest.refresh_token)).json<Tokens>();
      }
      clock.step(5 * 86_400_000 - 1);
      const last = await used.refresh(latest.refresh_token);
      expectAnswer(last, 200);
      clock.step(1);
      expectRefusal(await used.refresh(last.json<Tokens>().refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), last.json())).status).toBe(401);
    });

    it("promises no access token beyond the end of the family (S26)", async () => {
      const { signOn, world } = scene();
      const lifetimes = { refreshTokenAbsoluteSeconds: 100, accessTokenSeconds: 3_600 };
      const { tokens, refresh } = await signedIn(await withApplication(signOn, world, { lifetimes }));
      signOn.clock.step(60_000);
      const next = (await refresh(tokens.refresh_token)).json<Tokens>();
      const ends = [tokens, next].map(({ access_token }) => partOf(access_token, 1).exp);
      expect([tokens.expires_in, next.expires_in]).toEqual([100, 40]);
      expect(new Set(ends).size).toBe(1);
      signOn.clock.step(39_000);
      expect((await userinfo(scene(), next)).status).toBe(200);
      signOn.clock.step(1_000);
      expect((await userinfo(scene(), next)).status).toBe(401);
    });

    it("is refused when the person lost the seat or was disabled since (R-S7, S19)", async () => {
      const { signOn, world } = scene();
      const lost = await signedIn(await withPerson(signOn, world, `${Math.random()}@harbour.example`));
      await signOn.platform.deleteUser({ requestId: "", userId: lost.world.userId });
      expectRefusal(await lost.refresh(lost.tokens.refresh_token), 400, "invalid_grant");
      const disabled = await signedIn(await withPerson(signOn, world, `${Math.random()}@harbour.example`));
      await signOn.disablePerson(disabled.world.personId);
      expectRefusal(await disabled.refresh(disabled.tokens.refresh_token), 400, "invalid_grant");
    });

    it("ends when the person's password is replaced (R-S20)", async () => {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `${Math.random()}@harbour.example`);
      const { tokens, refresh } = await signedIn(person);
      await signOn.signOn.setPassword({ personId: person.personId, password: "another horse, another battery" });
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
      expect((await userinfo(scene(), tokens)).status).toBe(401);
    });
  });
});
