import type { CreateApplicationRequest } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { obtainCode } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { withoutReference } from "../../../support/oauth-error.ts";
import { applicationRequest } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import {
  codeGrant,
  expectAnswer,
  expectRefusal,
  hexDigest,
  inBody,
  type Parameters,
  refreshGrant,
  type Tokens,
} from "./token-kit.ts";

describeSignOn(
  "a refresh token to which something happened since, or happens while it is being used (R-S10)",
  (scene) => {
    async function signedIn(more: Partial<CreateApplicationRequest> = {}, parameters?: Parameters) {
      const { signOn } = scene();
      const world = await withApplication(signOn, scene().world, more);
      const send = (form: Parameters) => call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } });
      const tokens = (await send(codeGrant(await obtainCode(signOn.url, world, parameters)))).json<Tokens>();
      const refresh = (token: string, parameters: Parameters = {}) => send({ ...refreshGrant(token), ...parameters });
      /** Uses the token; once it was found to be good, and before it is replaced, `meanwhile` happens. */
      const refreshWhile = async (meanwhile: () => Promise<unknown>): Promise<Answer> => {
        signOn.holdWorkforce("/GetIdentity", async () => void (await meanwhile()));
        return await refresh(tokens.refresh_token);
      };
      return { world, tokens, refresh, refreshWhile };
    }
    const sentenceOf = (answer: Answer) =>
      (JSON.parse(withoutReference(answer)) as { error_description: string }).error_description;
    const revocations = async () =>
      Number(
        /gatehouse_token_families_revoked_total\{because="refresh token reused"\} (\d+)/.exec(
          await scene().signOn.metrics.metrics(),
        )?.[1],
      );

    it("gets the successor that a faster call got (S24)", async () => {
      const { tokens, refresh, refreshWhile } = await signedIn();
      const faster: Answer[] = [];
      const slower = await refreshWhile(async () => faster.push(await refresh(tokens.refresh_token)));
      expectAnswer(slower, 200);
      const successors = [...faster, slower].map((answer) => answer.json<Tokens>().refresh_token);
      expect(successors).toEqual([slower.json<Tokens>().refresh_token, slower.json<Tokens>().refresh_token]);
      expectAnswer(await refresh(slower.json<Tokens>().refresh_token), 200);
    });

    it("is theft where there is no window, and its family ends once, however many find out (S24)", async () => {
      const { tokens, refresh, refreshWhile } = await signedIn({ refreshRepeatSeconds: 0 });
      const before = await revocations();
      const others: Answer[] = [];
      const slowest = await refreshWhile(async () => {
        others.push(await refresh(tokens.refresh_token), await refresh(tokens.refresh_token));
      });
      expect(others.map(({ status }) => status)).toEqual([200, 400]);
      expectRefusal(slowest, 400, "invalid_grant");
      expect(sentenceOf(slowest)).toBe("The refresh token was already used; sign in again.");
      expect((await revocations()) - before).toBe(1);
    });

    it.each<[string, (token: string) => Promise<unknown>]>([
      ["expires (R-S9)", async () => scene().signOn.clock.step(60_000)],
      [
        "is forgotten",
        (token) =>
          scene()
            .signOn.db.deleteFrom("sign_on_families")
            .where("token_digest", "=", Buffer.from(hexDigest(token), "hex"))
            .execute(),
      ],
    ])("is refused as expired when it %s", async (_, happen) => {
      const { tokens, refreshWhile } = await signedIn({ lifetimes: { refreshTokenIdleSeconds: 60 } });
      const refused = await refreshWhile(() => happen(tokens.refresh_token));
      expectRefusal(refused, 400, "invalid_grant");
      expect(sentenceOf(refused)).toBe("The refresh token has expired.");
    });

    it("is refused as expired from its last instant on, whatever else is wrong with the request (R-S9)", async () => {
      const { tokens, refresh } = await signedIn({ lifetimes: { refreshTokenIdleSeconds: 60 } });
      scene().signOn.clock.step(59_999);
      expectRefusal(await refresh(tokens.refresh_token, { scope: "admin" }), 400, "invalid_scope");
      scene().signOn.clock.step(1);
      expectRefusal(await refresh(tokens.refresh_token, { scope: "admin" }), 400, "invalid_grant");
    });

    it.each([
      ["openid email", 200, { scope: "openid" }],
      [
        "email profile",
        400,
        {
          error: "invalid_scope",
          error_description: expect.stringContaining(
            "The application is not registered for the scope `profile email`.",
          ),
        },
      ],
    ])(
      "with %s answers %i when its application is registered for openid alone by now (R-X131)",
      async (scope, ...seen) => {
        const { world, tokens, refresh } = await signedIn({}, { scope });
        const update = { ...applicationRequest(world.instanceId), applicationId: world.application.id };
        await scene().signOn.signOn.updateApplication({ ...update, scopes: ["openid"], updateMask: ["scopes"] });
        const answer = await refresh(tokens.refresh_token);
        expect([answer.status, answer.json()]).toEqual([seen[0], expect.objectContaining(seen[1])]);
      },
    );
  },
);
