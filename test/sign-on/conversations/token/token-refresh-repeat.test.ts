import type { CreateApplicationRequest } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { auditEntries } from "../../../support/audited.ts";
import { obtainCode } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import {
  codeGrant,
  expectAnswer,
  expectRefusal,
  inBody,
  type Parameters,
  refreshGrant,
  type Tokens,
  userinfo,
} from "./token-kit.ts";

describeSignOn("a refresh token that comes again (R-S10)", (scene) => {
  async function signedIn(more: Partial<CreateApplicationRequest> = {}) {
    const { signOn } = scene();
    const world = await withApplication(signOn, scene().world, more);
    const send = (form: Parameters) => call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } });
    const tokens = (await send(codeGrant(await obtainCode(signOn.url, world)))).json<Tokens>();
    const refresh = (token: string, parameters: Parameters = {}) => send({ ...refreshGrant(token), ...parameters });
    return { world, tokens, refresh };
  }
  const auditOf = async (applicationId: string) =>
    (
      await auditEntries(scene().signOn.opened.store, ["object", "facts", "request_id"], {
        actor: applicationId,
        action: "tokenFamily.revoke",
      })
    ).map(({ object, facts, request_id }) => ({ object, because: JSON.parse(facts).because, request_id }));

  const repeats = async () =>
    Number(/gatehouse_refresh_tokens_repeated_total (\d+)/.exec(await scene().signOn.metrics.metrics())?.[1]);

  it("gets the same successor with a new access token for thirty seconds, so a lost answer costs nothing (S24)", async () => {
    const { tokens, refresh } = await signedIn();
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    const counted = await repeats();
    scene().signOn.clock.step(29_999);
    const answer = await refresh(tokens.refresh_token);
    expectAnswer(answer, 200);
    const again = answer.json<Tokens>();
    expect(again.refresh_token).toBe(first.refresh_token);
    expect(again.access_token).not.toBe(first.access_token);
    const statuses = await Promise.all(
      [tokens, first, again].map(async (one) => (await userinfo(scene(), one)).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
    expectAnswer(await refresh(again.refresh_token), 200);
    expect((await repeats()) - counted).toBe(1);
  });

  it("has its window from its own replacement on, however old its family is", async () => {
    const { world, tokens, refresh } = await signedIn();
    scene().signOn.clock.step(3_600_000);
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    scene().signOn.clock.step(29_999);
    const again = await refresh(tokens.refresh_token);
    expectAnswer(again, 200);
    expect(again.json<Tokens>().refresh_token).toBe(first.refresh_token);
    expect(await auditOf(world.application.id)).toEqual([]);
  });

  it("does not prolong anything: the successor's idle time runs from the first answer (R-S9, R-X111)", async () => {
    const { tokens, refresh } = await signedIn({ lifetimes: { refreshTokenIdleSeconds: 60 } });
    await refresh(tokens.refresh_token);
    scene().signOn.clock.step(29_000);
    const { refresh_token } = (await refresh(tokens.refresh_token)).json<Tokens>();
    scene().signOn.clock.step(31_000);
    expectRefusal(await refresh(refresh_token), 400, "invalid_grant");
  });

  it("is refused as expired once the successor is, though the window is still open, and revokes nothing (R-S9, R-X111)", async () => {
    const { world, tokens, refresh } = await signedIn({
      lifetimes: { refreshTokenIdleSeconds: 60 },
      refreshRepeatSeconds: 300,
    });
    await refresh(tokens.refresh_token);
    scene().signOn.clock.step(59_999);
    expectAnswer(await refresh(tokens.refresh_token), 200);
    scene().signOn.clock.step(1);
    const refused = await refresh(tokens.refresh_token);
    expectRefusal(refused, 400, "invalid_grant");
    expect(refused.json<{ error_description: string }>().error_description).toMatch(/^The refresh token has expired\./);
    expect(await auditOf(world.application.id)).toEqual([]);
  });

  it("is theft after the window: the family ends, and only that, visibly to the operator (S24, RFC 9700 statement 21, RFC 9700 statement 22)", async () => {
    const { world, tokens, refresh } = await signedIn();
    const other = await signedIn();
    const next = (await refresh(tokens.refresh_token)).json<Tokens>();
    scene().signOn.clock.step(30_000);
    const refused = await refresh(tokens.refresh_token);
    expectRefusal(refused, 400, "invalid_grant");
    expectRefusal(await refresh(next.refresh_token), 400, "invalid_grant");
    const statuses = await Promise.all(
      [tokens, next, other.tokens].map(async (one) => (await userinfo(scene(), one)).status),
    );
    expect(statuses).toEqual([401, 401, 200]);
    expect(await auditOf(world.application.id)).toEqual([
      { object: world.personId, because: "refresh token reused", request_id: refused.headers.get("x-request-id") },
    ]);
    const details = scene().signOn.log.lines.map(({ fields }) => fields.detail);
    expect(details).toContain("refresh token reused: its family is revoked");
    expect(await scene().signOn.metrics.metrics()).toMatch(
      /gatehouse_token_families_revoked_total\{because="refresh token reused"\} [1-9]/,
    );
  });

  it("is theft as soon as the successor was used, inside the window too", async () => {
    const { tokens, refresh } = await signedIn();
    const second = (await refresh(tokens.refresh_token)).json<Tokens>();
    const third = (await refresh(second.refresh_token)).json<Tokens>();
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    expectRefusal(await refresh(third.refresh_token), 400, "invalid_grant");
  });

  it("has the window that its application has", async () => {
    const { tokens, refresh } = await signedIn({ refreshRepeatSeconds: 2 });
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    scene().signOn.clock.step(1_999);
    expect((await refresh(tokens.refresh_token)).json<Tokens>().refresh_token).toBe(first.refresh_token);
    scene().signOn.clock.step(1);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
  });

  it("must ask for the scope of the first time; another is invalid_grant and revokes nothing", async () => {
    const { tokens, refresh } = await signedIn();
    const first = (await refresh(tokens.refresh_token, { scope: "openid email" })).json<Tokens>();
    for (const scope of ["openid", "openid email profile", ""])
      expectRefusal(await refresh(tokens.refresh_token, { scope }), 400, "invalid_grant");
    expectRefusal(await refresh(tokens.refresh_token, { scope: "openid offline_access" }), 400, "invalid_scope");
    const again = (await refresh(tokens.refresh_token, { scope: "email openid" })).json<Tokens>();
    expect([again.scope, again.refresh_token]).toEqual(["openid email", first.refresh_token]);
    expectAnswer(await refresh(again.refresh_token), 200);
  });

  it("is refused to another application, inside the window too, and revokes nothing", async () => {
    const { tokens, refresh } = await signedIn();
    const thief = await signedIn();
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    expectRefusal(await thief.refresh(tokens.refresh_token), 400, "invalid_grant");
    expectAnswer(await refresh(first.refresh_token), 200);
  });

  it("is not answered inside the window either once the family has ended (R-S11)", async () => {
    const { tokens, refresh } = await signedIn();
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    await refresh((await refresh(first.refresh_token)).json<Tokens>().refresh_token);
    expectRefusal(await refresh(first.refresh_token), 400, "invalid_grant");
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
  });

  it("does not come back to life when the clock goes back (S25)", async () => {
    const { clock } = scene().signOn;
    const { tokens, refresh } = await signedIn();
    const first = (await refresh(tokens.refresh_token)).json<Tokens>();
    clock.step(40_000);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    clock.step(-40_000);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    expectRefusal(await refresh(first.refresh_token), 400, "invalid_grant");
    clock.step(40_000);
  });
});
