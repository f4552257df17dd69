import { createHmac } from "node:crypto";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { signOnMigrations } from "../../../src/sign-on/services.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { type Answer, call } from "../../support/http.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { applicationRequest, invitation, present, REDIRECT_URI } from "../../support/world.ts";
import {
  codeGrant,
  expectRefusal,
  inBody,
  type Parameters,
  refreshGrant,
  type Tokens,
} from "../conversations/token/token-kit.ts";
import { familiesOf } from "../families-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";
import { earlierRows } from "./earlier-rows.ts";

/** Sign-on's tables as they were before families had numbers, with the columns that an application is registered with today. */
const BEFORE = {
  ...signOnMigrations,
  migrations: signOnMigrations.migrations.filter(({ number }) => number < 12 || number === 16),
};
const SECOND = 1_000;
const SALT = Buffer.alloc(32, 5);
/** A code or a refresh token of the earlier form, another one for each name. */
const codeOf = (name: string) => createHmac("sha256", "code").update(name).digest("base64url");
const tokenOf = (name: string) => `ghr_${createHmac("sha256", "token").update(name).digest("base64url")}`;
/** The successor as the versions before gave it. */
const successorOf = (token: string) =>
  `ghr_${createHmac("sha256", token).update("refresh token successor\n").update(SALT).digest("base64url")}`;
const IN_NUMBERED_FORM = /^ghr_[\w-]{64}$/;

/** A person on an instance and an application, without a password: setting one needs the tables of today. */
async function invited({ platform, signOn }: SignOn) {
  const { instance } = await platform.createInstance({ requestId: "", name: "Europe" });
  const instanceId = present(instance).id;
  const { tenant } = await platform.createTenant({ requestId: "", instanceId, name: "Harbour Bakery", address: null });
  const invite = async (email: string) => {
    const { user } = await platform.inviteUser(invitation(present(tenant).id, email));
    return present(present(user).person).id;
  };
  const personId = await invite("maren.dahl@harbour.example");
  const { application, secret } = await signOn.createApplication(applicationRequest(instanceId));
  const id = present(application).id;
  return { instanceId, personId, application: { id, secret: secret ?? "" }, invite };
}

eachStore((_, open) => {
  let signOn: SignOn;
  let person: Awaited<ReturnType<typeof invited>>;
  /** A person of whom everything is ended. */
  let leaverId: string;
  const closeLater = closingAfterAll();

  beforeAll(async () => {
    const opened = await open([workforceMigrations, BEFORE]);
    signOn = await openSignOn(opened, closeLater);
    person = await invited(signOn);
    const now = signOn.clock.now().getTime();
    const at = now - 120 * SECOND;
    const rowsOf = (personId: string) =>
      earlierRows(opened.store.view(), {
        ...{ personId, instanceId: person.instanceId, applicationId: person.application.id },
        ...{ redirectUri: REDIRECT_URI, at },
      });
    const { code, family, refreshToken } = rowsOf(person.personId);
    await code(codeOf("redeemed"));
    await code(codeOf("spent"), "spent");
    for (const id of ["spent", "begun", "asked"]) {
      await family(id);
      await refreshToken(tokenOf(id), id);
    }
    leaverId = await person.invite("leaver@harbour.example");
    const ofLeaver = rowsOf(leaverId);
    await ofLeaver.code(codeOf("late"));
    await ofLeaver.family("ended");
    await ofLeaver.refreshToken(tokenOf("ended"), "ended");
    /** Two rotations: the first is long over, the second was so many milliseconds ago. */
    for (const [id, agoMs] of [
      ["repeated", SECOND],
      ["reused", 60 * SECOND],
      ["older", SECOND],
    ] as const) {
      const [first, second] = [tokenOf(`first of ${id}`), tokenOf(`second of ${id}`)];
      await family(id);
      await refreshToken(first, id, { replaced: { salt: null, at } });
      await refreshToken(second, id, { before: first, replaced: { salt: SALT, at: now - agoMs } });
      await refreshToken(successorOf(second), id, { before: second });
    }
    await family("revoked", "revoked by the application");
    await refreshToken(tokenOf("revoked"), "revoked");
    expect(await migrate(opened.store, [runtimeMigrations, ...signOnSets], signOn.clock.now())).toBe(
      signOnMigrations.migrations.length - BEFORE.migrations.length,
    );
  });

  const send = (form: Parameters): Promise<Answer> =>
    call(signOn.url, "/auth/token", { form: { ...form, ...inBody(person) } });
  const redeem = (code: string) => send(codeGrant(code));
  const refresh = (token: string) => send(refreshGrant(token));
  const successorIn = (answer: Answer): string => {
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json<Tokens>().refresh_token;
  };
  /** Why the family of an earlier id has ended; null while it lives. */
  const endOf = async (id: string): Promise<string | null | undefined> => {
    const row = await signOn.db
      .selectFrom("sign_on_families as family")
      .innerJoin("sign_on_token_families as before", "before.number", "family.number")
      .select("family.revoked_because")
      .where("before.id", "=", id)
      .executeTakeFirst();
    return row?.revoked_because;
  };

  describe("after families have got numbers (R-X226)", () => {
    it("an earlier code is redeemed once, for tokens of the new form; a replay ends them", async () => {
      const token = successorIn(await redeem(codeOf("redeemed")));
      expect(token).toMatch(IN_NUMBERED_FORM);
      expectRefusal(await redeem(codeOf("redeemed")), 400, "invalid_grant");
      expectRefusal(await refresh(token), 400, "invalid_grant");
    });

    it("a code that was redeemed before ends its family when it comes again", async () => {
      expectRefusal(await redeem(codeOf("spent")), 400, "invalid_grant");
      expect(await endOf("spent")).toBe("authorization code replayed");
      expectRefusal(await refresh(tokenOf("spent")), 400, "invalid_grant");
    });

    it("an earlier refresh token is exchanged for one of the new form, the same at a repeat; used later it is theft", async () => {
      const next = successorIn(await refresh(tokenOf("begun")));
      expect(next).toMatch(IN_NUMBERED_FORM);
      expect(successorIn(await refresh(tokenOf("begun")))).toBe(next);
      expect(successorIn(await refresh(next))).toMatch(IN_NUMBERED_FORM);
      expectRefusal(await refresh(tokenOf("begun")), 400, "invalid_grant");
      expect(await endOf("begun")).toBe("refresh token reused");
    });

    it("an answer that got lost at the upgrade is repeated as it was, within the window", async () => {
      const second = tokenOf("second of repeated");
      expect(successorIn(await refresh(second))).toBe(successorOf(second));
      expect(successorIn(await refresh(successorOf(second)))).toMatch(IN_NUMBERED_FORM);
    });

    it.each([
      ["replaced longer ago than the window", "reused", "second of reused"],
      ["replaced twice", "older", "first of older"],
    ])("a refresh token that was %s is theft", async (_title, id, name) => {
      expectRefusal(await refresh(tokenOf(name)), 400, "invalid_grant");
      expect(await endOf(id)).toBe("refresh token reused");
    });

    it.each([
      ["was revoked before", tokenOf("revoked")],
      ["is unknown", tokenOf("unknown")],
    ])("a refresh token that %s is unknown", async (_title, token) => {
      const refused = await refresh(token);
      expectRefusal(refused, 400, "invalid_grant");
      expect(refused.json()).toMatchObject({
        error_description: expect.stringMatching(/^The refresh token is unknown, expired or revoked\. \(req_/),
      });
    });

    it("introspection and access tokens find the family by the earlier names", async () => {
      const asked = await call(signOn.url, "/auth/introspect", {
        form: { token: tokenOf("asked"), ...inBody(person) },
      });
      expect(asked.json()).toMatchObject({ active: true, sub: person.personId, scope: "openid email" });
      const families = familiesOf(signOn.db);
      const found = await families.findLiveBehind("asked.an-access-token", signOn.clock.now());
      expect(found).toMatchObject({ scopes: ["openid", "email"], userinfoClaims: ["name"], generation: 2 });
      expect(await families.findLiveBehind("nobody.an-access-token", signOn.clock.now())).toBeUndefined();
    });

    it("what ends everything of a person ends earlier families too", async () => {
      await signOn.people.endSessions({ key: { $case: "personId", value: leaverId } });
      expect(await endOf("ended")).toBe("sessions ended by an operator");
      expectRefusal(await refresh(tokenOf("ended")), 400, "invalid_grant");
      expectRefusal(await redeem(codeOf("late")), 400, "invalid_grant");
    });
  });
});
