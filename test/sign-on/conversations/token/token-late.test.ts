import {
  ApplicationAuthentication,
  type ExchangeTokenRequest,
} from "../../../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { obtainCode } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import { call } from "../../../support/http.ts";
import { REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";
import { codeGrant, expectAnswer, inBody, type Parameters, refreshGrant, type Tokens, userinfo } from "./token-kit.ts";

describeSignOn(
  "a second use that is found after its caller gave up, as in a process that was stopped (R-X185)",
  (scene) => {
    const send = (form: Parameters) =>
      call(scene().signOn.url, "/auth/token", { form: { ...form, ...inBody(scene().world) } });
    const credentials = () => ({
      authentication: ApplicationAuthentication.POST,
      applicationId: scene().world.application.id,
      secret: scene().world.application.secret,
    });
    /** Makes the call with a deadline that has passed, and waits until services have refused it. */
    async function exchangeLate(grant: ExchangeTokenRequest["grant"]): Promise<void> {
      const requestId = `req_late_${grant?.$case}`;
      const { tokens, log } = scene().signOn;
      const late = tokens.exchangeToken({ application: credentials(), grant }, { requestId, deadlineMs: -1_000 });
      await expect(late).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
      const found = await eventually(
        async () => log.lines.find(({ fields }) => fields.requestId === requestId),
        (line) => line !== undefined,
      );
      expect(found?.fields.code).toBe("DEADLINE_EXCEEDED");
    }

    it("revokes no family when it is of a refresh token; in time it does", async () => {
      const first = (await send(codeGrant(await obtainCode(scene().signOn.url, scene().world)))).json<Tokens>();
      const second = (await send(refreshGrant(first.refresh_token))).json<Tokens>();
      scene().signOn.clock.step(31_000);
      await exchangeLate({ $case: "refreshToken", value: { refreshToken: first.refresh_token, scopes: [] } });
      const third = await send(refreshGrant(second.refresh_token));
      expectAnswer(third, 200);
      expect((await send(refreshGrant(first.refresh_token))).status).toBe(400);
      expect((await userinfo(scene(), third.json<Tokens>())).status).toBe(401);
    });

    it("revokes no family when it is of a code; in time it does", async () => {
      const code = await obtainCode(scene().signOn.url, scene().world);
      const tokens = (await send(codeGrant(code))).json<Tokens>();
      await exchangeLate({
        $case: "authorizationCode",
        value: { code, redirectUri: REDIRECT_URI, codeVerifier: null },
      });
      expect((await userinfo(scene(), tokens)).status).toBe(200);
      expect((await send(codeGrant(code))).status).toBe(400);
      expect((await userinfo(scene(), tokens)).status).toBe(401);
    });
  },
);
