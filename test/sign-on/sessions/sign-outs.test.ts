import { createHash } from "node:crypto";
import type { ApplicationId, InstanceId, PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { authorizationCodeRepository } from "../../../src/sign-on/authorization-codes/authorization-code-repository.ts";
import { codeExpiryRepository } from "../../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import type { Scope } from "../../../src/sign-on/claims/scopes.ts";
import { logoutRequestRepository } from "../../../src/sign-on/conversations/logout/logout-request-repository.ts";
import { familyRevocationRepository } from "../../../src/sign-on/refresh-tokens/family-revocation-repository.ts";
import { sessionRepository } from "../../../src/sign-on/sessions/session-repository.ts";
import { createSignOuts } from "../../../src/sign-on/sessions/sign-out-service.ts";
import { signOnSweepLoop } from "../../../src/sign-on/sweep-loop.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { authorizePath, Browser, redeem } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { logoutPath, signedInBrowser, userinfoStatus } from "../conversations/logout/logout-kit.ts";
import { familiesOf } from "../families-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const LATER = new Date(NOW.getTime() + 3_600_000);
const digest = (text: string) => createHash("sha256").update(text).digest();
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;
const ONLINE: readonly Scope[] = ["openid"];
const OFFLINE: readonly Scope[] = ["openid", "offline_access"];

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  let made = 0;
  /** Families are numbered as they are made. */
  let numbers = 0;
  /** Two sessions of one person and one of another, each with a code and a family, with and without offline_access. */
  async function begin() {
    const { db, opened, clock } = signOn;
    const name = `s${++made}`;
    const changes = createChanges<SignOnTables>({ ...opened, clock, random: systemRandom });
    const sessions = sessionRepository(db);
    const codes = authorizationCodeRepository(db);
    const families = familiesOf(db);
    const signOuts = createSignOuts({
      revocations: familyRevocationRepository(),
      sessions,
      codeExpiry: codeExpiryRepository(db),
      families,
    });
    const all = [
      { name: `${name} here`, personId: MAREN },
      { name: `${name} elsewhere`, personId: MAREN },
      { name: `${name} other`, personId: TOMAS },
    ].map((one) => ({
      ...one,
      digest: digest(one.name),
      authenticatedAt: NOW,
      seenAt: NOW,
      expiresAt: LATER,
      device: { browser: "Firefox", system: "" },
    }));
    const applicationId = world.application.id as ApplicationId;
    const codeOf = new Map<string, number>();
    const familyOf = new Map<string, number>();
    await changes.run(async ({ db: tx }) => {
      for (const session of all) {
        await sessions.create(tx, session);
        for (const scopes of [ONLINE, OFFLINE]) {
          const issued = {
            applicationId,
            instanceId: "instance_a" as InstanceId,
            personId: session.personId,
            sessionDigest: session.digest,
            scopes,
            authenticatedAt: NOW,
            issuedAt: NOW,
            expiresAt: LATER,
          };
          const label = `${session.name} ${scopes.join(" ")}`;
          const of = (kind: Map<string, number>) => {
            kind.set(label, ++numbers);
            const number = numbers;
            return {
              ...issued,
              number,
              digest: digest(label),
              redirectUri: "https://a.example/",
              nonce: undefined,
              codeChallenge: undefined,
              claims: { userinfo: [], idToken: [] },
            };
          };
          await codes.create(tx, of(codeOf));
          const redeemed = of(familyOf);
          await codes.create(tx, redeemed);
          const token = { tokenDigest: digest("token"), tokenExpiresAt: LATER };
          await codes.redeem(tx, redeemed, { ...token, at: NOW, familyEndsAt: LATER });
        }
      }
    });
    const [here, elsewhere, other] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    /** What is good a second later: names of sessions, codes and families. */
    const good = async () => {
      const at = new Date(NOW.getTime() + 1_000);
      const labels = all.flatMap((session) => [ONLINE, OFFLINE].map((scopes) => `${session.name} ${scopes.join(" ")}`));
      const live: string[] = [];
      for (const session of all)
        if ((await sessions.findLive(session.digest, at, new Date(0))) !== undefined) live.push(session.name);
      for (const label of labels) {
        const code = await codes.find(codeOf.get(label) ?? 0);
        if (code !== undefined && code.expiresAt > at) live.push(`code of ${label}`);
        if ((await families.findLive(familyOf.get(label) ?? 0, at)) !== undefined) live.push(`family of ${label}`);
      }
      return live.map((one) => one.replaceAll(`${name} `, ""));
    };
    return { changes, signOuts, here, elsewhere, other, good, codes, families };
  }
  const ELSEWHERE = [
    "elsewhere",
    "code of elsewhere openid",
    "family of elsewhere openid",
    "code of elsewhere openid offline_access",
    "family of elsewhere openid offline_access",
  ];
  const OTHER = ELSEWHERE.map((one) => one.replace("elsewhere", "other"));
  const sorted = (names: readonly string[]) => [...names].sort();

  it("one session ends its codes and families, except offline_access; a second end writes nothing (R-S20)", async () => {
    const { changes, signOuts, here, good } = await begin();
    expect(await changes.run(({ db }) => signOuts.ofSession(db, here, NOW))).toBe(true);
    const kept = ["code of here openid offline_access", "family of here openid offline_access"];
    expect(sorted(await good())).toEqual(sorted([...kept, ...ELSEWHERE, ...OTHER]));
    expect(await changes.run(({ db }) => signOuts.ofSession(db, here, NOW))).toBe(false);
  });

  it("everywhere is everything of the person, and nothing of others (R-S20)", async () => {
    const { changes, signOuts, good } = await begin();
    await changes.run(({ db }) => signOuts.everywhere(db, MAREN, "signed out everywhere", NOW));
    expect(sorted(await good())).toEqual(sorted(OTHER));
  });

  it("a session that replaces another of the same person takes over what it issued (R-X117)", async () => {
    const { changes, signOuts, here, elsewhere, good } = await begin();
    await changes.run(({ db }) => signOuts.replace(db, here, elsewhere, NOW));
    expect(await good()).not.toContain("here");
    expect(await good()).toContain("family of here openid");
    await changes.run(({ db }) => signOuts.ofSession(db, elsewhere, NOW));
    const kept = ["here", "elsewhere"].flatMap((one) => [
      `code of ${one} openid offline_access`,
      `family of ${one} openid offline_access`,
    ]);
    expect(sorted(await good())).toEqual(sorted([...kept, ...OTHER]));
  });

  it("what a session issued that was removed since ends with its hint, except offline_access (R-X116)", async () => {
    const { changes, signOuts, here, good } = await begin();
    await signOn.db.deleteFrom("sign_on_sessions").where("digest", "=", here.digest).execute();
    const others = { ...here, personId: TOMAS };
    expect(await changes.run(({ db }) => signOuts.ofRemoved(db, others, NOW))).toBe(false);
    expect(await changes.run(({ db }) => signOuts.ofRemoved(db, here, NOW))).toBe(true);
    expect(await good()).not.toContain("family of here openid");
    expect(await good()).toContain("family of here openid offline_access");
    expect(await good()).toContain("family of elsewhere openid");
    expect(await changes.run(({ db }) => signOuts.ofRemoved(db, here, NOW))).toBe(false);
  });

  it("a session takes over what one of the same person issued that was removed since (R-X117)", async () => {
    const { changes, signOuts, here, elsewhere, other, good } = await begin();
    await signOn.db.deleteFrom("sign_on_sessions").where("digest", "=", here.digest).execute();
    await changes.run(({ db }) => signOuts.replaceRemoved(db, here.digest, other, NOW));
    await changes.run(({ db }) => signOuts.ofSession(db, other, NOW));
    expect(await good()).toContain("family of here openid");
    await changes.run(({ db }) => signOuts.replaceRemoved(db, here.digest, elsewhere, NOW));
    await changes.run(({ db }) => signOuts.ofSession(db, elsewhere, NOW));
    expect(await good()).not.toContain("family of here openid");
    expect(await good()).toContain("family of here openid offline_access");
  });

  it("a session that replaces one of another person signs that one out", async () => {
    const { changes, signOuts, here, other, good } = await begin();
    await changes.run(({ db }) => signOuts.replace(db, here, other, NOW));
    const kept = ["code of here openid offline_access", "family of here openid offline_access"];
    expect(sorted(await good())).toEqual(sorted([...kept, ...ELSEWHERE, ...OTHER]));
  });

  it("no code that is redeemed while its session ends gives tokens that outlive it", async () => {
    const outcomes: { readonly redeemed: number; readonly userinfo: number }[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const { browser, tokens } = await signedInBrowser(signOn, world, { scope: "openid" });
      const next = await browser.follow(authorizePath(world, { scope: "openid" }));
      const code = next.left?.searchParams.get("code") ?? "";
      const [redeemed] = await Promise.all([
        redeem(signOn.url, world, code),
        browser.open(logoutPath({ id_token_hint: tokens.id_token })),
      ]);
      const userinfo = redeemed.status === 200 ? await userinfoStatus(signOn, redeemed.json()) : 401;
      outcomes.push({ redeemed: redeemed.status, userinfo });
    }
    expect(outcomes.map(({ userinfo }) => userinfo)).toEqual(outcomes.map(() => 401));
  });

  it("no code is issued from a session that ends at the same time, and stays good (R-X36)", async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const { browser, tokens } = await signedInBrowser(signOn, world, { scope: "openid" });
      const { cookie } = browser;
      const [authorized] = await Promise.all([
        call(signOn.url, authorizePath(world, { scope: "openid" }), { headers: { cookie } }),
        browser.open(logoutPath({ id_token_hint: tokens.id_token })),
      ]);
      const location = new URL(authorized.headers.get("location") ?? "", signOn.url);
      statuses.push((await redeem(signOn.url, world, location.searchParams.get("code") ?? "none")).status);
    }
    expect(statuses).toEqual(statuses.map(() => 400));
  });

  it("keeps a request for sign-out until it is answered or an hour has passed, and sweeps what is left", async () => {
    const { changes } = await begin();
    const logouts = logoutRequestRepository(signOn.db);
    const request = {
      applicationId: world.application.id as ApplicationId,
      postLogoutRedirectUri: "https://a.example/",
      state: "",
      sid: "s",
      personId: MAREN,
      createdAt: NOW,
      expiresAt: LATER,
    };
    await changes.run(async ({ db }) => {
      await logouts.create(db, { ...request, id: "whole" });
      await logouts.create(db, {
        ...request,
        id: "bare",
        applicationId: undefined,
        postLogoutRedirectUri: undefined,
        state: undefined,
        sid: undefined,
        personId: undefined,
      });
    });
    expect(await logouts.findOpen("whole", NOW)).toEqual({ ...request, id: "whole" });
    expect(await logouts.findOpen("bare", NOW)).toMatchObject({ state: undefined, applicationId: undefined });
    expect(await logouts.findOpen("whole", LATER)).toBeUndefined();
    expect(await changes.run(({ db }) => logouts.remove(db, "whole"))).toBe(true);
    expect(await changes.run(({ db }) => logouts.remove(db, "whole"))).toBe(false);
    const stopping = new AbortController();
    const clock = { now: () => new Date(LATER.getTime() + 3_600_001) };
    const run = signOnSweepLoop(signOn.db, clock).run(stopping.signal);
    const left = () => signOn.db.selectFrom("sign_on_logouts").select("id").execute();
    while ((await left()).length > 0) await new Promise((done) => setTimeout(done, 5));
    stopping.abort();
    await run;
    expect(await left()).toEqual([]);
  });

  it("a stranger's browser ends nothing", async () => {
    const { tokens } = await signedInBrowser(signOn, world);
    await new Browser(signOn.url).follow(logoutPath({ id_token_hint: tokens.id_token }));
    expect(await userinfoStatus(signOn, tokens)).toBe(200);
  });
});
