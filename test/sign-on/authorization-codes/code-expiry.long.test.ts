import { setTimeout as sleep } from "node:timers/promises";
import { ExpiryService } from "../../../generated/proto/gatehouse/sign_on/v1/expiry.ts";
import type { ApplicationId, PersonId } from "../../../src/runtime/basis/ids.ts";
import type { PromiseClient } from "../../../src/runtime/rpc/call.ts";
import { authorizationCodeRepository } from "../../../src/sign-on/authorization-codes/authorization-code-repository.ts";
import { codeExpiryRepository } from "../../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import { auditEntries } from "../../support/audited.ts";
import { obtainCode } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { codeGrant, inBody } from "../conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIFE = 10 * MINUTE;

eachStore((_, open) => {
  describe("the end of unused codes (spec §3)", () =>
    withScope((closeLater) => {
      let signOn: SignOn;
      let world: World;
      let expiry: PromiseClient<typeof ExpiryService>;
      beforeEach(async () => {
        signOn = await openSignOn(await open(signOnSets), closeLater);
        world = await makeWorld(signOn);
        expiry = signOn.as("worker", ExpiryService);
      });

      const redeem = (code: string) =>
        call(signOn.url, "/auth/token", { form: { ...codeGrant(code), ...inBody(world) } });
      const marks = async () => {
        const rows = await signOn.db
          .selectFrom("sign_on_families")
          .select(["redeemed_at", "expired_at"])
          .orderBy("number")
          .execute();
        return rows.map(({ redeemed_at, expired_at }) => [redeemed_at !== null, expired_at]);
      };
      const expire = (limit = 500) => expiry.expireCodes({ limit });

      it("a code is good one second before its end and no good one second after, whether or not anything swept (R-S9)", async () => {
        const [early, late, swept] = [
          await obtainCode(signOn.url, world),
          await obtainCode(signOn.url, world),
          await obtainCode(signOn.url, world),
        ];
        signOn.clock.step(LIFE - SECOND);
        // Looked for too early, it marks nothing.
        expect(await expire()).toEqual({ expired: 0, more: false });
        expect((await redeem(early)).status).toBe(200);
        signOn.clock.step(2 * SECOND);
        expect((await redeem(late)).json()).toMatchObject({ error: "invalid_grant" });
        expect(await expire()).toEqual({ expired: 2, more: false });
        expect((await redeem(swept)).json()).toMatchObject({ error: "invalid_grant" });
        const at = signOn.clock.now().getTime();
        expect(await marks()).toEqual(
          expect.arrayContaining([
            [true, null],
            [false, at],
            [false, at],
          ]),
        );
      });

      it("a mark that came too early spoils no code: only its times say whether it is good", async () => {
        const code = await obtainCode(signOn.url, world);
        await signOn.db.updateTable("sign_on_families").set({ expired_at: 1 }).execute();
        expect((await redeem(code)).status).toBe(200);
      });

      it("a redemption that took its time before a sign-out, and comes after it, gets nothing (R-S20)", async () => {
        await obtainCode(signOn.url, world);
        const row = await signOn.db.selectFrom("sign_on_families").selectAll().executeTakeFirstOrThrow();
        const codes = authorizationCodeRepository(signOn.db);
        const before = signOn.clock.now();
        const later = (ms: number) => new Date(before.getTime() + ms);
        await inTransaction(signOn.db, (tx) =>
          codeExpiryRepository(signOn.db).expireAllOf(tx, world.personId as PersonId, before),
        );
        const code = {
          number: row.number,
          digest: row.token_digest,
          applicationId: row.application_id as ApplicationId,
          redirectUri: row.redirect_uri,
        };
        const tokens = { tokenDigest: Buffer.alloc(32, 1), tokenExpiresAt: later(LIFE), familyEndsAt: later(2 * LIFE) };
        const redeemed = await Promise.all(
          [-1_000, 0, 5, LIFE - 1].map((ms) => codes.redeem(signOn.db, code, { at: later(ms), ...tokens })),
        );
        expect(redeemed).toEqual([false, false, false, false]);
      });

      it("marks in bounded pages, once, with one audit entry a page; what one sweep missed the next one takes (R-X76)", async () => {
        for (let count = 0; count < 3; count++) await obtainCode(signOn.url, world);
        signOn.clock.step(LIFE);
        expect([await expire(2), await expire(2), await expire(2)]).toEqual([
          { expired: 2, more: true },
          { expired: 1, more: false },
          { expired: 0, more: false },
        ]);
        const audit = await auditEntries(signOn.opened.store, ["actor", "facts"], {
          action: "authorizationCode.expire",
        });
        expect(audit).toEqual([
          { actor: "worker", facts: '{"count":2}' },
          { actor: "worker", facts: '{"count":1}' },
        ]);
      });

      it("takes what is left after a call that waited for another process's page (R-X76)", async () => {
        for (let count = 0; count < 5; count++) await obtainCode(signOn.url, world);
        signOn.clock.step(LIFE);
        const at = signOn.clock.now();
        const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>();
        const other = signOn.db.transaction().execute(async (tx) => {
          await codeExpiryRepository(signOn.db).expire(tx, new Date(0), at, 2);
          taken();
          await sleep(500);
        });
        await isTaken;
        const first = await expire(2);
        await other;
        expect(first.more).toBe(true);
        while ((await expire(2)).more);
        expect(await marks()).toEqual(Array(5).fill([false, at.getTime()]));
      });

      it("takes in the next pass what a pass could not store, however long ago the codes were issued (R-X76)", async () => {
        await obtainCode(signOn.url, world);
        signOn.clock.step(LIFE + 2 * MINUTE);
        await signOn.withoutTable("audit_entries", () => expect(expire()).rejects.toMatchObject({ code: "INTERNAL" }));
        expect(await expire()).toEqual({ expired: 1, more: false });
      });

      it("returns the minutes in which codes were issued, as long as one of them may be valid", async () => {
        const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);
        await obtainCode(signOn.url, world);
        const first = minuteOf(signOn.clock.now());
        signOn.clock.step(2 * MINUTE);
        await obtainCode(signOn.url, world);
        const second = minuteOf(signOn.clock.now());
        expect((await expiry.listIssueMinutes({ after: null })).minutes).toEqual([first, second]);
        expect((await expiry.listIssueMinutes({ after: first })).minutes).toEqual([second]);
        expect((await expiry.listIssueMinutes({ after: second })).minutes).toEqual([]);
        signOn.clock.step(10 * MINUTE);
        expect((await expiry.listIssueMinutes({ after: null })).minutes).toEqual([second]);
      });

      it("returns them also to a caller that got a later minute while the clock was ahead", async () => {
        const right = signOn.clock.now();
        signOn.clock.step(365 * 24 * 60 * MINUTE);
        await obtainCode(signOn.url, world);
        const [after = null] = (await expiry.listIssueMinutes({ after: null })).minutes;
        signOn.clock.set(right);
        await obtainCode(signOn.url, world);
        expect(after?.getTime()).toBeGreaterThan(right.getTime());
        const minute = new Date(Math.floor(right.getTime() / MINUTE) * MINUTE);
        expect((await expiry.listIssueMinutes({ after })).minutes).toEqual([minute]);
      });

      it.each([0, 501])("refuses a page of %d", async (limit) => {
        await expect(expire(limit)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      });
    }));
});
