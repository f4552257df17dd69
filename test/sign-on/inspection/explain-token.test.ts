import { sql } from "kysely";
import { TokenKind } from "../../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { UpdateApplicationRequest } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { auditEntries } from "../../support/audited.ts";
import { exchange, obtainCode, redeem } from "../../support/browser.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, PASSWORD, present, type World } from "../../support/world.ts";
import { type Tokens, userinfo } from "../conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication, withPerson } from "../sign-on-fixture.ts";

const {
  ACCESS_TOKEN: ACCESS,
  ID_TOKEN: ID,
  REFRESH_TOKEN: REFRESH,
  AUTHORIZATION_CODE: CODE,
  UNSPECIFIED: UNKNOWN,
} = TokenKind;

eachStore((_name, open) => {
  describe("explaining a token", () => {
    let signOn: SignOn;
    let base: World;
    const closeLater = closingAfterAll();
    let count = 0;

    beforeAll(async () => {
      signOn = await openSignOn(await open(signOnSets), closeLater);
      base = await makeWorld(signOn);
    });

    const explain = (token: string) => signOn.inspection.explainToken({ token });
    const checksOf = async (token: string) => (await explain(token)).problems.map(({ check }) => check);
    /** A person and an application of its own, with tokens of a new sign-in. */
    const signedIn = async () => {
      const world = await withPerson(signOn, await withApplication(signOn, base), `p${++count}@harbour.example`);
      const code = await obtainCode(signOn.url, world);
      const tokens = (await redeem(signOn.url, world, code)).json<Tokens & { id_token: string }>();
      return { world, code, tokens };
    };

    it("says what each kind is and that it would be accepted, and spends nothing (R-X125)", async () => {
      const { world, tokens } = await signedIn();
      const shared = {
        accepted: true,
        problems: [],
        applicationId: world.application.id,
        applicationName: "Marigold",
        personId: world.personId,
      };
      const instanceId = world.instanceId;
      const scopes = tokens.scope.split(" ");
      for (const _ of [1, 2]) {
        expect(await explain(tokens.access_token)).toMatchObject({
          ...shared,
          kind: ACCESS,
          instanceId,
          scopes,
          issuer: signOn.issuer,
          audience: [signOn.issuer],
          signature: { algorithm: "ES256", right: true },
        });
        expect(await explain(` Bearer ${tokens.access_token}\n`)).toMatchObject({ accepted: true });
        expect(await explain(tokens.id_token)).toMatchObject({
          ...shared,
          kind: ID,
          signature: { algorithm: "RS256", right: true },
          authenticatedAt: new Date(Math.floor(signOn.clock.now().getTime() / 1000) * 1000),
        });
        expect(await explain(tokens.refresh_token)).toMatchObject({ ...shared, kind: REFRESH, instanceId, scopes });
        const unspent = await obtainCode(signOn.url, world);
        expect(await explain(unspent)).toMatchObject({ ...shared, kind: CODE, instanceId });
      }
      expect((await userinfo({ signOn, world }, tokens)).status).toBe(200);
    });

    const entriesOf = ({ application }: World) =>
      auditEntries(signOn.opened.store, ["actor", "action", "object", "facts"], {
        object: application.id,
        action: "token.explain",
      });

    it("never returns the token, nor anything about the person except the id, and leaves an audit entry", async () => {
      const { world, tokens } = await signedIn();
      const answers = await Promise.all(Object.values(tokens).map((token) => explain(String(token))));
      const audit = await entriesOf(world);
      expect(audit[0]).toMatchObject({ actor: "operator" });
      expect(audit.map(({ facts }) => JSON.parse(facts).person)).toEqual(Array(3).fill(world.personId));
      const written = JSON.stringify([answers, audit, signOn.log.lines]);
      for (const secret of [tokens.access_token, tokens.refresh_token, tokens.id_token, world.email, PASSWORD])
        expect(written).not.toContain(secret);
    });

    it("says why the family is over: replayed, with a new password, with its application", async () => {
      const replayed = await signedIn();
      await redeem(signOn.url, replayed.world, replayed.code);
      for (const token of [replayed.tokens.access_token, replayed.tokens.refresh_token]) {
        const { accepted, problems } = await explain(token);
        expect([accepted, problems]).toEqual([
          false,
          [{ check: "family.revoked", sentence: expect.stringContaining("replayed") }],
        ]);
      }
      expect(await checksOf(replayed.code)).toEqual(["code.already_used"]);

      const changed = await signedIn();
      await signOn.signOn.setPassword({ personId: changed.world.personId, password: PASSWORD });
      expect((await explain(changed.tokens.refresh_token)).problems).toEqual([
        { check: "family.revoked", sentence: expect.stringContaining("password changed") },
      ]);

      const disabled = await signedIn();
      const applicationId = disabled.world.application.id;
      await signOn.signOn.disableApplication({ applicationId });
      expect(await checksOf(disabled.tokens.access_token)).toEqual(["family.voided", "application.disabled"]);
      await signOn.signOn.enableApplication({ applicationId });
      expect(await checksOf(disabled.tokens.refresh_token)).toEqual(["family.voided"]);
      expect(await checksOf(disabled.tokens.id_token)).toEqual([]);
    });

    it("says that a refresh token would be taken for theft once its successor was used, also inside the window (R-S10)", async () => {
      const { world, tokens } = await signedIn();
      const refresh = (refresh_token: string) =>
        exchange(signOn.url, world, { grant_type: "refresh_token", refresh_token });
      const next = (await refresh(tokens.refresh_token)).json<Tokens>().refresh_token;
      expect(await checksOf(tokens.refresh_token)).toEqual([]);
      await refresh(next);
      expect(await checksOf(tokens.refresh_token)).toEqual(["refresh_token.replaced"]);
      expect((await refresh(tokens.refresh_token)).json()).toMatchObject({ error: "invalid_grant" });
    });

    const narrow = async (
      { application: { id: applicationId } }: World,
      more: Partial<UpdateApplicationRequest> & Pick<UpdateApplicationRequest, "updateMask">,
    ) => {
      const { application } = await signOn.signOn.getApplication({ applicationId });
      await signOn.signOn.updateApplication({ ...present(application), applicationId, ...more });
    };

    it("says that a repeated refresh token has expired with its successor, though its window is longer (R-X111)", async () => {
      const { world, tokens } = await signedIn();
      await narrow(world, {
        lifetimes: { refreshTokenIdleSeconds: 60 },
        refreshRepeatSeconds: 300,
        updateMask: ["lifetimes.refresh_token_idle_seconds", "refresh_repeat_seconds"],
      });
      await exchange(signOn.url, world, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
      expect(await checksOf(tokens.refresh_token)).toEqual([]);
      signOn.clock.step(60_000);
      expect((await explain(tokens.refresh_token)).problems).toEqual([
        {
          check: "refresh_token.expired",
          sentence: expect.stringMatching(/^The one that replaced it expired unused on /),
        },
      ]);
    });

    it("says that the application may not refresh any more", async () => {
      const { world, tokens } = await signedIn();
      await narrow(world, { grantTypes: ["authorization_code"], updateMask: ["grant_types"] });
      expect(await checksOf(tokens.refresh_token)).toEqual(["grant.not_registered"]);
      expect(await checksOf(tokens.access_token)).toEqual([]);
    });

    it("says that the application is not registered for the scopes any more (R-X131)", async () => {
      const { world, tokens } = await signedIn();
      const unspent = await obtainCode(signOn.url, world);
      const refresh = () =>
        exchange(signOn.url, world, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
      await narrow(world, { scopes: ["openid", "offline_access"], updateMask: ["scopes"] });
      expect(await checksOf(unspent)).toEqual(["code.scope_not_registered"]);
      expect((await redeem(signOn.url, world, unspent)).json()).toMatchObject({ error: "invalid_grant" });
      expect(await checksOf(tokens.refresh_token)).toEqual([]);
      await narrow(world, { scopes: ["offline_access"], updateMask: ["scopes"] });
      expect(await checksOf(tokens.refresh_token)).toEqual(["scope.not_registered"]);
      expect((await refresh()).json()).toMatchObject({ error: "invalid_scope" });
      expect(await checksOf(tokens.access_token)).toEqual([]);
    });

    it("says that a person has lost the access", async () => {
      const { world, tokens } = await signedIn();
      await signOn.disablePerson(world.personId);
      expect(await checksOf(tokens.access_token)).toEqual(["membership.lost"]);
      expect(await checksOf(tokens.refresh_token)).toEqual(["membership.lost"]);
    });

    it("says that a key is gone", async () => {
      const { tokens } = await signedIn();
      const { signature } = await explain(tokens.id_token);
      const keyId = present(signature).keyId;
      const state = (to: string) =>
        sql`update sign_on_signing_keys set state = ${to} where key_id = ${keyId}`.execute(signOn.opened.store.view());
      await state("retired");
      expect(await explain(tokens.id_token)).toMatchObject({
        accepted: false,
        signature: { right: true },
        problems: [{ check: "signature.key_retired" }],
      });
      await state("active");
    });

    it("says when it expired", async () => {
      const { world, tokens, code: _ } = await signedIn();
      const unspent = await obtainCode(signOn.url, world);
      signOn.clock.step(3_600_000);
      expect((await explain(tokens.access_token)).problems).toEqual([
        {
          check: "token.expired",
          sentence: expect.stringMatching(/^It expired on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/),
        },
      ]);
      expect(await checksOf(tokens.id_token)).toEqual(["token.expired"]);
      expect(await checksOf(unspent)).toEqual(["code.expired"]);
      signOn.clock.step(30 * 86_400_000);
      expect(await checksOf(tokens.refresh_token)).toEqual(["refresh_token.expired"]);
    });

    it("rejects a token that is not signed by our keys", async () => {
      const { world, tokens } = await signedIn();
      const [header = "", claims = "", signature = ""] = tokens.access_token.split(".");
      const forged = Buffer.from(claims, "base64url").toString().replace("openid", "opEnid");
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const of = (given: object) => `${part(given)}.${claims}.${signature}`;
      expect(await explain(`${header}.${Buffer.from(forged).toString("base64url")}.${signature}`)).toMatchObject({
        accepted: false,
        instanceId: null,
        signature: { right: false },
        problems: [{ check: "signature.wrong" }],
      });
      // The audit log says of no person what an unproven claim says.
      expect((await entriesOf(world)).map(({ facts }) => JSON.parse(facts))).toEqual([
        { kind: ACCESS, accepted: false, person: null },
      ]);
      expect(await checksOf(of({ alg: "none", typ: "at+jwt" }))).toEqual(["signature.algorithm"]);
      expect(await checksOf(of({ alg: "HS256", typ: "at+jwt", kid: "x" }))).toEqual(["signature.algorithm"]);
      expect(await checksOf(of({ alg: "ES256", typ: "at+jwt", kid: "x" }))).toEqual(["signature.key_unknown"]);
      expect(await checksOf(of({ alg: "ES256", typ: "at+jwt" }))).toEqual(["signature.key_unknown"]);
      expect(await checksOf(of({ alg: "ES256", typ: "at+jwt", kid: "x\0" }))).toEqual(["signature.key_unknown"]);
    });

    it.each([["constructor"], ["__proto__"], ["toString"], [{ toString: 1, valueOf: 1 }], [[[]]], [7], [false]])(
      "takes the type %j for none of ours",
      async (typ) => {
        const { tokens } = await signedIn();
        const [, claims = "", signature = ""] = tokens.access_token.split(".");
        const header = Buffer.from(JSON.stringify({ alg: "ES256", typ, kid: "x" })).toString("base64url");
        expect(await explain(`${header}.${claims}.${signature}`)).toMatchObject({
          kind: UNKNOWN,
          problems: [{ check: "signature.key_unknown" }],
        });
      },
    );

    it.each([
      ["nothing", "", "token.unrecognised"],
      ["a word", "hello", "token.unrecognised"],
      ["three words", "a.b.c", "token.unrecognised"],
      ["arrays", `${btoa("[]")}.${btoa("[]")}.x`, "token.unrecognised"],
      ["an unknown code", "a".repeat(43), "token.unrecognised"],
      ["an unknown refresh token", `ghr_${"a".repeat(43)}`, "refresh_token.unknown"],
      ["far too much", "a".repeat(100_000), "token.unrecognised"],
    ])("says of %s that Gatehouse did not issue it", async (_, token, check) => {
      expect(await explain(token)).toMatchObject({ accepted: false, problems: [{ check }] });
    });

    it.each([
      ["an API key", `ghk_${"a".repeat(60)}`, "token.api_key"],
      ["a signing secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "token.signing_secret"],
      ["a private key of webhooks", `whsk_${Buffer.alloc(64, 1).toString("base64")}`, "token.signing_secret"],
    ])("says of %s what it is, which is no token", async (_, text, check) => {
      expect(await explain(text)).toMatchObject({ kind: UNKNOWN, accepted: false, problems: [{ check }] });
    });

    it("warns of an application's secret, which is not a token", async () => {
      expect(await explain(base.application.secret)).toMatchObject({
        kind: UNKNOWN,
        problems: [{ check: "token.application_secret" }],
      });
    });
  });
});
