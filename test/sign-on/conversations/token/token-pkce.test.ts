import { ApplicationKind } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { newPkce, obtainCode } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import type { World } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import {
  BODIES,
  basic,
  challengeOf,
  codeGrant,
  expectAnswer,
  expectRefusal,
  inBody,
  type Parameters,
} from "./token-kit.ts";

describe.each(BODIES)("POST /auth/token with a %s body (R-S1)", (_, bodyOf) => {
  describeSignOn("PKCE at the token endpoint (RFC 7636 §4.5, R-S16, S22)", (scene) => {
    const send = (parameters: Parameters) => call(scene().signOn.url, "/auth/token", bodyOf(parameters));
    const { verifier } = newPkce();
    /** RFC 7636 appendix B. */
    const RFC_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const full = `${"-._~".repeat(31)}Az09`;

    async function redeemWith(code_verifier: string | undefined, challenged = verifier, application?: World) {
      const world = application ?? scene().world;
      const code = await obtainCode(scene().signOn.url, world, challengeOf(challenged));
      const right = { ...codeGrant(code), ...inBody(world) };
      const tried = await send(code_verifier === undefined ? right : { ...right, code_verifier });
      return { tried, again: () => send({ ...right, code_verifier: challenged }) };
    }

    it.each([verifier, RFC_VERIFIER, full, "~".repeat(43)])("takes the verifier %s", async (challenged) => {
      expectAnswer((await redeemWith(challenged, challenged)).tried, 200);
    });

    it.each<[string, string | undefined]>([
      ["missing", undefined],
      ["empty", ""],
      ["another one", newPkce().verifier],
      ["the challenge (plain)", challengeOf(verifier).code_challenge],
      ["in another case", verifier.toUpperCase()],
    ])(
      "refuses a verifier that is %s, for a confidential application too: invalid_grant; the code is still good (§4.6, R-X163)",
      async (_, given) => {
        const { tried, again } = await redeemWith(given);
        expectRefusal(tried, 400, "invalid_grant");
        expectAnswer(await again(), 200);
      },
    );

    it.each([
      ["42 characters", verifier.slice(1)],
      ["129 characters", "a".repeat(129)],
      ["with a space", `${verifier} `],
      ["with padding", `${verifier}=`],
      ["with a plus sign", `${verifier.slice(1)}+`],
      ["beyond ASCII", `${verifier.slice(1)}é`],
    ])(
      "refuses %s, which is no verifier: invalid_request; the code is still good (spec §7.2, §8, R-X163)",
      async (_, given) => {
        const { tried, again } = await redeemWith(given);
        expectRefusal(tried, 400, "invalid_request");
        expectAnswer(await again(), 200);
      },
    );

    it("refuses what is no verifier, and then a verifier, for a code without a challenge (R-X163)", async () => {
      const { world } = scene();
      const right = { ...codeGrant(await obtainCode(scene().signOn.url, world, {})), ...inBody(world) };
      expectRefusal(await send({ ...right, code_verifier: "short" }), 400, "invalid_request");
      expectRefusal(await send({ ...right, code_verifier: verifier }), 400, "invalid_grant");
      expectAnswer(await send(right), 200);
    });

    it("takes a code that was used for replayed, whatever the form of the verifier is (R-S11)", async () => {
      const { world } = scene();
      const code = await obtainCode(scene().signOn.url, world, challengeOf(verifier));
      const right = { ...codeGrant(code), ...inBody(world) };
      const { refresh_token } = (await send({ ...right, code_verifier: verifier })).json<{ refresh_token: string }>();
      expectRefusal(await send({ ...right, code_verifier: "short" }), 400, "invalid_grant");
      const refresh = { grant_type: "refresh_token", refresh_token, ...inBody(world) };
      expectRefusal(await send(refresh), 400, "invalid_grant");
    });

    it("is what a public application has instead of a secret (R-S2)", async () => {
      const { signOn, world } = scene();
      const open = await withApplication(signOn, world, { kind: ApplicationKind.NATIVE });
      expect(open.application.secret).toBe("");
      expectAnswer((await redeemWith(verifier, verifier, open)).tried, 200);
      const { tried, again } = await redeemWith(undefined, verifier, open);
      expectRefusal(tried, 400, "invalid_grant");
      expectAnswer(await again(), 200);
    });

    it("goes without any secret for a public application: sending one is refused (S29)", async () => {
      const { signOn, world } = scene();
      const open = await withApplication(signOn, world, { kind: ApplicationKind.BROWSER });
      const code = await obtainCode(signOn.url, open, challengeOf(verifier));
      const right = { ...codeGrant(code), code_verifier: verifier, client_id: open.application.id };
      expectRefusal(await send({ ...right, client_secret: "x" }), 400, "invalid_client");
      expectRefusal(await send({ ...right, client_secret: world.application.secret }), 400, "invalid_client");
      const init = bodyOf({ ...codeGrant(code), code_verifier: verifier });
      const header = await call(signOn.url, "/auth/token", { ...init, headers: basic(open.application.id, "x") });
      expectRefusal(header, 401, "invalid_client");
      expectAnswer(await send({ ...right, client_secret: "" }), 200);
    });
  });
});
