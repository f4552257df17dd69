import type { UpdateApplicationRequest } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { obtainCode } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { present, type World } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { publicApplication } from "../token/public-application.ts";
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
} from "../token/token-kit.ts";

const INACTIVE = { active: false };

describe.each(BODIES)("POST /auth/introspect with a %s body (RFC 7662, R-S20)", (_, bodyOf) => {
  describeSignOn("from an application", (scene) => {
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
      call(scene().signOn.url, "/auth/introspect", { ...bodyOf(parameters), headers });
    const exchange = (form: Parameters) => call(scene().signOn.url, "/auth/token", { form });
    async function signedIn(world: World = scene().world, parameters?: Parameters) {
      const code = await obtainCode(scene().signOn.url, world, parameters);
      const redeem = () => exchange({ ...codeGrant(code), ...inBody(world) });
      const tokens = (await redeem()).json<Tokens>();
      const refresh = (token: string, more: Parameters = {}) =>
        exchange({ ...refreshGrant(token), ...inBody(world), ...more });
      const ask = async (token: string): Promise<unknown> => (await told(token)).json();
      const told = (token: string): Promise<Answer> => send({ token, ...inBody(world) });
      return { world, tokens, redeem, refresh, ask, told };
    }

    it("returns the claims of an access token (§2.2)", async () => {
      const { world, tokens, told } = await signedIn(undefined, { scope: "openid email" });
      const { iss, sub, aud, client_id, scope, iat, exp, jti } = partOf(tokens.access_token, 1);
      const answer = await told(tokens.access_token);
      expectAnswer(answer, 200);
      const expected = { active: true, token_type: "Bearer", iss, sub, aud, client_id, scope, iat, exp, jti };
      expect(answer.json()).toEqual(expected);
      expect([sub, client_id, scope]).toEqual([world.personId, world.application.id, "openid email"]);
    });

    it("returns the scopes of a refresh token's family and its idle limit", async () => {
      const { world, tokens, ask } = await signedIn();
      const { clock, issuer } = scene().signOn;
      const iat = Math.floor(clock.now().getTime() / 1000);
      expect(await ask(tokens.refresh_token)).toEqual({
        active: true,
        scope: "openid profile email",
        client_id: world.application.id,
        sub: world.personId,
        iss: issuer,
        iat,
        exp: iat + 30 * 86_400,
      });
    });

    it("says only that it is not active of tokens that are unknown, foreign, or none (RFC 9700 statement 38)", async () => {
      const { world, tokens, ask } = await signedIn();
      const other = await withApplication(scene().signOn, world);
      const foreign = await Promise.all(
        [tokens.access_token, tokens.refresh_token].map((token) => send({ token, ...inBody(other) })),
      );
      expect(foreign.map((answer) => answer.json())).toEqual([INACTIVE, INACTIVE]);
      const spoilt = tokens.access_token.replace(/.$/, (letter) => (letter === "A" ? "Q" : "A"));
      for (const token of ["unknown", spoilt, tokens.id_token ?? "", `${tokens.refresh_token} `])
        expect(await ask(token)).toEqual(INACTIVE);
    });

    it("says at once when a code was replayed (R-S11, RFC 9700 statement 14)", async () => {
      const { tokens, redeem, ask } = await signedIn();
      expectRefusal(await redeem(), 400, "invalid_grant");
      expect([await ask(tokens.access_token), await ask(tokens.refresh_token)]).toEqual([INACTIVE, INACTIVE]);
    });

    it("says at once when a token was revoked, by itself or with its family", async () => {
      const { world, tokens, ask } = await signedIn();
      const revoke = (token: string) => call(scene().signOn.url, "/auth/revoke", { form: { token, ...inBody(world) } });
      await revoke(tokens.access_token);
      expect([await ask(tokens.access_token), await ask(tokens.refresh_token)]).toEqual([
        INACTIVE,
        expect.objectContaining({ active: true }),
      ]);
      await revoke(tokens.refresh_token);
      expect(await ask(tokens.refresh_token)).toEqual(INACTIVE);
    });

    it("reports a replaced refresh token as inactive, also while its repeat would be answered (R-X115)", async () => {
      const { tokens, refresh, ask } = await signedIn();
      const next = (await refresh(tokens.refresh_token, { scope: "openid" })).json<Tokens>();
      expect(await ask(tokens.refresh_token)).toEqual(INACTIVE);
      expect(await ask(next.refresh_token)).toMatchObject({ active: true, scope: "openid profile email" });
      expect(await ask(next.access_token)).toMatchObject({ active: true, scope: "openid" });
    });

    it("goes by what the application is registered for now: a refresh token has the scopes that are left, and is inactive without any (R-X131)", async () => {
      const { signOn, world: base } = scene();
      const { world, tokens, refresh, ask } = await signedIn(await withApplication(signOn, base));
      const applicationId = world.application.id;
      const { application } = await signOn.signOn.getApplication({ applicationId });
      const update = (more: Partial<UpdateApplicationRequest> & Pick<UpdateApplicationRequest, "updateMask">) =>
        signOn.signOn.updateApplication({ ...present(application), applicationId, ...more });
      await update({ scopes: ["openid", "offline_access"], updateMask: ["scopes"] });
      expect(await ask(tokens.refresh_token)).toMatchObject({ active: true, scope: "openid" });
      await update({ scopes: ["offline_access"], updateMask: ["scopes"] });
      expect(await ask(tokens.refresh_token)).toEqual(INACTIVE);
      expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_scope");
      const all = present(application).scopes;
      await update({ scopes: all, grantTypes: ["authorization_code"], updateMask: ["scopes", "grant_types"] });
      expect(await ask(tokens.refresh_token)).toEqual(INACTIVE);
      expectRefusal(await refresh(tokens.refresh_token), 400, "unauthorized_client");
      expect(await ask(tokens.access_token)).toMatchObject({ active: true, scope: "openid profile email" });
    });

    it("goes by the times (R-S9)", async () => {
      const { tokens, ask } = await signedIn();
      scene().signOn.clock.step(3_600_000);
      expect(await ask(tokens.access_token)).toEqual(INACTIVE);
      scene().signOn.clock.step(30 * 86_400_000 - 3_600_001);
      expect(await ask(tokens.refresh_token)).toMatchObject({ active: true });
      scene().signOn.clock.step(1);
      expect(await ask(tokens.refresh_token)).toEqual(INACTIVE);
    });

    it("asks whether the person still may: lost membership counts at once (R-S7)", async () => {
      const { signOn, world } = scene();
      const {
        world: person,
        tokens,
        ask,
      } = await signedIn(await withPerson(signOn, world, `${Math.random()}@harbour.example`));
      expect(await ask(tokens.access_token)).toMatchObject({ active: true });
      await signOn.platform.deleteUser({ requestId: "", userId: person.userId });
      expect([await ask(tokens.access_token), await ask(tokens.refresh_token)]).toEqual([INACTIVE, INACTIVE]);
    });

    it("is for applications that have a secret and prove it: else 401, however they tried (§2.1, §2.3, RFC 9700 statement 38, R-X115)", async () => {
      const { world, tokens } = await signedIn();
      const { id, secret } = world.application;
      const token = tokens.access_token;
      const open = await publicApplication(scene());
      expectRefusal(await send({ token, client_id: id, client_secret: "wrong" }), 401, "invalid_client");
      expectRefusal(await send({ token, client_id: id }), 401, "invalid_client");
      expectRefusal(await send({ token }, basic(id, "wrong")), 401, "invalid_client");
      expectRefusal(await send({ token, client_id: open.application.id }), 401, "invalid_client");
      expectRefusal(await send({ token }, { authorization: `Bearer ${token}` }), 401, "invalid_client");
      expectRefusal(await send({ token }), 401, "invalid_client");
      expectRefusal(await send({ token, client_id: "" }), 401, "invalid_client");
      expectRefusal(await send({ token, client_secret: secret }), 401, "invalid_client");
      expectRefusal(await send({ token, client_secret: secret }, basic(id, secret)), 400, "invalid_request");
      expectAnswer(await send({ token }, basic(id, secret)), 200);
    });

    it.each<[string, Parameters]>([
      ["no token", {}],
      ["an empty token", { token: "" }],
    ])("refuses %s: invalid_request", async (_title, parameters) => {
      expectRefusal(await send({ ...parameters, ...inBody(scene().world) }), 400, "invalid_request");
    });

    it.each(["access_token", "refresh_token", "anything"])(
      "takes %s for a hint only (§2.1)",
      async (token_type_hint) => {
        const { world, tokens } = await signedIn();
        const answers = await Promise.all(
          [tokens.access_token, tokens.refresh_token].map((token) =>
            send({ token, token_type_hint, ...inBody(world) }),
          ),
        );
        expect(answers.map((answer) => answer.json<{ active: boolean }>().active)).toEqual([true, true]);
      },
    );
  });
});

describeSignOn("POST /auth/introspect from pages (RFC 9700 §2.6)", (scene) => {
  it("is for back ends: no origin may read it, and there is no preflight", async () => {
    const { signOn, world } = scene();
    const origin = "https://app.example";
    const application = await withApplication(signOn, world, { corsOrigins: [origin] });
    const form = { token: "unknown", ...inBody(application) };
    const answer = await call(signOn.url, "/auth/introspect", { form, headers: { origin } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    expect((await call(signOn.url, "/auth/introspect", { method: "OPTIONS", headers: { origin } })).status).toBe(405);
  });
});
