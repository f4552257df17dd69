import type { CreateApplicationRequest } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { digestOf } from "../../../../src/sign-on/digest.ts";
import { obtainCode } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
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
} from "./token-kit.ts";

describe.each(BODIES)("POST /auth/token with a %s body: what the application is registered for", (_, bodyOf) => {
  describeSignOn("(R-S9, R-S15, RFC 6749 §5.2)", (scene) => {
    const application = (more: Partial<CreateApplicationRequest>) =>
      withApplication(scene().signOn, scene().world, more);
    const send = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
      call(scene().signOn.url, "/auth/token", { ...bodyOf(parameters), headers });

    it("refuses a grant type that it is not registered for: unauthorized_client, whatever the token is (R-X112)", async () => {
      const world = await application({ grantTypes: ["authorization_code"] });
      const redeemed = await send({ ...codeGrant(await obtainCode(scene().signOn.url, world)), ...inBody(world) });
      expectAnswer(redeemed, 200);
      const { refresh_token } = redeemed.json<Tokens>();
      for (const token of [refresh_token, "unknown"])
        expectRefusal(await send({ ...refreshGrant(token), ...inBody(world) }), 400, "unauthorized_client");
      const { id, secret } = world.application;
      expectRefusal(await send(refreshGrant(refresh_token), basic(id, secret)), 400, "unauthorized_client");
    });

    it("reveals the grant types of an application only after authentication", async () => {
      const world = await application({ grantTypes: ["authorization_code"] });
      const impostor = { ...refreshGrant("unknown"), client_id: world.application.id, client_secret: "wrong" };
      expectRefusal(await send(impostor), 400, "invalid_client");
    });

    it("takes two secrets while one replaces the other, and the old one to its very end (R-S2)", async () => {
      const world = await application({});
      const { signOn } = scene();
      const { clock, db } = signOn;
      const previous = {
        previous_secret_digest: digestOf("ghs_before"),
        previous_secret_expires_at: clock.now().getTime() + 60_000,
      };
      await db.updateTable("sign_on_applications").set(previous).where("id", "=", world.application.id).execute();
      const before = { ...world, application: { ...world.application, secret: "ghs_before" } };
      const withSecretOf = (one: typeof world) => send({ ...refreshGrant("unknown"), ...inBody(one) });
      const withBasic = () => send(refreshGrant("unknown"), basic(world.application.id, "ghs_before"));
      clock.step(59_999);
      expectRefusal(await withSecretOf(before), 400, "invalid_grant");
      expectRefusal(await withBasic(), 400, "invalid_grant");
      expectRefusal(await withSecretOf(world), 400, "invalid_grant");
      clock.step(1);
      expectRefusal(await withSecretOf(before), 400, "invalid_client");
      expectRefusal(await withBasic(), 401, "invalid_client");
      expectRefusal(await withSecretOf(world), 400, "invalid_grant");
    });

    it("gives tokens the lifetimes that it is registered with (R-S9)", async () => {
      const lifetimes = { accessTokenSeconds: 120, idTokenSeconds: 240, authorizationCodeSeconds: 30 };
      const world = await application({ lifetimes });
      const { url, clock } = scene().signOn;
      const late = await obtainCode(url, world);
      clock.step(30_000);
      expectRefusal(await send({ ...codeGrant(late), ...inBody(world) }), 400, "invalid_grant");
      const tokens = (await send({ ...codeGrant(await obtainCode(url, world)), ...inBody(world) })).json<Tokens>();
      const lives = [tokens.access_token, tokens.id_token ?? ""].map((token) => {
        const { iat, exp } = partOf(token, 1);
        return Number(exp) - Number(iat);
      });
      expect([tokens.expires_in, ...lives]).toEqual([120, 120, 240]);
    });

    it("is unknown while it is disabled", async () => {
      const world = await application({});
      const code = await obtainCode(scene().signOn.url, world);
      const setDisabled = (disabled_at: number | null) =>
        scene()
          .signOn.db.updateTable("sign_on_applications")
          .set({ disabled_at })
          .where("id", "=", world.application.id)
          .execute();
      await setDisabled(1);
      expectRefusal(await send({ ...codeGrant(code), ...inBody(world) }), 400, "invalid_client");
      await setDisabled(null);
      expectAnswer(await send({ ...codeGrant(code), ...inBody(world) }), 200);
    });

    it.each([
      "grant_type",
      "code",
      "redirect_uri",
      "code_verifier",
      "refresh_token",
      "scope",
      "client_id",
      "client_secret",
    ])("refuses %s in the address, also beside a body that is right (RFC 6749 §2.3.1, S31, R-X113)", async (name) => {
      const world = await application({});
      const parameters = { ...codeGrant(await obtainCode(scene().signOn.url, world)), ...inBody(world) };
      const address = `/auth/token?${new URLSearchParams({ [name]: "x" })}`;
      expectRefusal(await call(scene().signOn.url, address, bodyOf(parameters)), 400, "invalid_request");
      expectAnswer(await send(parameters), 200);
    });
  });
});
