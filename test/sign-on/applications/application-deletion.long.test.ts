import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { ACCOUNT_METADATA } from "../../../src/runtime/rpc/call.ts";
import { signOnSweepLoop } from "../../../src/sign-on/sweep-loop.ts";
import { auditEntries } from "../../support/audited.ts";
import { authorizePath, Browser, exchange, obtainCode, redeem } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, present, REDIRECT_URI, type World } from "../../support/world.ts";
import { atAccount } from "../conversations/account/account-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication } from "../sign-on-fixture.ts";

const DAY_MS = 24 * 3_600_000;

eachStore((_name, open) => {
  let signOn: SignOn;
  let base: World;
  let closers: (() => Promise<unknown> | unknown)[];

  beforeEach(async () => {
    closers = [];
    signOn = await openSignOn(await open(signOnSets), (closer) => void closers.push(closer));
    base = await makeWorld(signOn);
  });
  afterEach(async () => {
    for (const closer of closers.toReversed()) await closer();
  });

  const fresh = () => withApplication(signOn, base, { name: "Paytide", corsOrigins: ["https://paytide.example"] });
  const remove = ({ application: { id } }: World) =>
    signOn.signOn.deleteApplication({ applicationId: id }, { metadata: { [ACCOUNT_METADATA]: "ada" } });
  const failureOf = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as Failure;
  const userinfoStatus = async (accessToken: string) =>
    (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${accessToken}` } })).status;
  const tokensOf = async (world: World) =>
    (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<{
      access_token: string;
      refresh_token: string;
    }>();
  const errorOf = async (answer: ReturnType<typeof redeem>) => (await answer).json<{ error?: string }>().error;
  const rows = async (table: "sign_on_applications" | "sign_on_consents" | "sign_on_redirect_uris", world: World) =>
    (
      await signOn.db
        .selectFrom(table)
        .selectAll()
        .where(table === "sign_on_applications" ? "id" : "application_id", "=", world.application.id)
        .execute()
    ).length;

  /** One pass of the sweep. */
  const sweep = async () => {
    const stop = new AbortController();
    await signOnSweepLoop(signOn.db, signOn.clock).run(stop.signal, async (work) => {
      const done = await work(new AbortController().signal);
      stop.abort();
      return done;
    });
  };

  describe("deleting an application (R-X200)", () => {
    it("ends sign-ins, tokens and codes at once, and its secret", async () => {
      const world = await fresh();
      const tokens = await tokensOf(world);
      const code = await obtainCode(signOn.url, world);
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(world));
      expect([login.answer.status, await userinfoStatus(tokens.access_token)]).toEqual([200, 200]);
      await remove(world);
      expect(await userinfoStatus(tokens.access_token)).toBe(401);
      expect(await errorOf(redeem(signOn.url, world, code))).toBe("invalid_client");
      const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      expect(await errorOf(exchange(signOn.url, world, refresh))).toBe("invalid_client");
      expect((await browser.open(login.path)).status).toBe(400);
      expect((await new Browser(signOn.url).open(authorizePath(world))).status).toBe(400);
    });

    it("is for good: operators find it no more, under its id or in the list, and cannot enable it", async () => {
      const world = await fresh();
      const { application } = await remove(world);
      expect(present(application)).toMatchObject({ name: "Paytide", redirectUris: [{ uri: REDIRECT_URI }] });
      const applicationId = world.application.id;
      for (const ask of ["getApplication", "enableApplication", "disableApplication", "deleteApplication"] as const)
        expect(await failureOf(signOn.signOn[ask]({ applicationId }))).toMatchObject({
          code: "NOT_FOUND",
          reason: "application_not_found",
        });
      const { applications } = await signOn.signOn.listApplications({ limit: 0, cursor: null });
      expect(applications.map(({ id }) => id)).toEqual([base.application.id]);
    });

    it("of two deletions at once one succeeds, and the audit log has one entry, which says who (R-X198)", async () => {
      const world = await fresh();
      const answers = await Promise.allSettled([remove(world), remove(world), remove(world)]);
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const deleted = { object: world.application.id, action: "application.delete" };
      const entries = await auditEntries(signOn.opened.store, ["actor", "facts"], deleted);
      expect(entries.map((entry) => [entry.actor, JSON.parse(entry.facts)])).toEqual([
        ["operator:ada", { name: "Paytide" }],
      ]);
    });

    it("leaves other applications, sessions and keys as they were", async () => {
      const [world, other] = [await fresh(), await fresh()];
      const tokens = await tokensOf(other);
      await remove(world);
      expect(await userinfoStatus(tokens.access_token)).toBe(200);
      const { access_token } = await tokensOf(other);
      expect(await userinfoStatus(access_token)).toBe(200);
    });

    it("takes it from the person's list of accesses; past sign-ins keep its name", async () => {
      const world = await fresh();
      await tokensOf(world);
      const before = await atAccount(signOn, base);
      expect(before.answer.text).toContain('<p id="access-0">');
      await remove(world);
      const { answer } = await atAccount(signOn, base);
      expect(answer.text).not.toContain('<p id="access-0">');
      expect(answer.text).toContain("<bdi>Paytide</bdi>");
    });

    it("removes what people consented to at the next sweep, and its row after the last of its tokens", async () => {
      const world = await fresh();
      await tokensOf(world);
      await remove(world);
      expect(await rows("sign_on_redirect_uris", world)).toBe(0);
      expect(await rows("sign_on_consents", world)).toBe(1);
      await sweep();
      expect([await rows("sign_on_consents", world), await rows("sign_on_applications", world)]).toEqual([0, 1]);
      signOn.clock.step(409 * DAY_MS);
      await sweep();
      expect(await rows("sign_on_applications", world)).toBe(1);
      signOn.clock.step(2 * DAY_MS);
      await sweep();
      expect(await rows("sign_on_applications", world)).toBe(0);
      expect(await rows("sign_on_applications", base)).toBe(1);
    });
  });
});
