import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ApplicationId, InstanceId, PersonId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import type { Transaction } from "../../src/runtime/database/database.ts";
import type { Application } from "../../src/sign-on/applications/application.ts";
import { DEFAULT_LIFETIMES } from "../../src/sign-on/applications/application.ts";
import { applicationChangeRepository } from "../../src/sign-on/applications/application-change-repository.ts";
import { applicationRepository } from "../../src/sign-on/applications/application-repository.ts";
import type { AuthorizationCode } from "../../src/sign-on/authorization-codes/authorization-code.ts";
import { authorizationCodeRepository } from "../../src/sign-on/authorization-codes/authorization-code-repository.ts";
import { codeExpiryRepository } from "../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import { consentRepository } from "../../src/sign-on/consents/consent-repository.ts";
import { credentialRepository } from "../../src/sign-on/credentials/credential-repository.ts";
import type { Interaction } from "../../src/sign-on/interactions/interaction.ts";
import { interactionRepository } from "../../src/sign-on/interactions/interaction-repository.ts";
import { familyRevocationRepository } from "../../src/sign-on/refresh-tokens/family-revocation-repository.ts";
import { familySweepRepository } from "../../src/sign-on/refresh-tokens/family-sweep-repository.ts";
import type { TokenFamily } from "../../src/sign-on/refresh-tokens/token-family.ts";
import { sessionRepository } from "../../src/sign-on/sessions/session-repository.ts";
import { signOnSweepLoop } from "../../src/sign-on/sweep-loop.ts";
import type { SignOnTables } from "../../src/sign-on/tables.ts";
import { firstNumberAt } from "../../src/sign-on/token-numbers/family-number.ts";
import { watchStatements } from "../support/asked-statements.ts";
import { standingClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { familiesOf, testTokens } from "./families-kit.ts";
import { signOnSets } from "./sign-on-fixture.ts";
import { earlierRows } from "./token-numbers/earlier-rows.ts";

const revocations = familyRevocationRepository();
const NOW = new Date("2026-06-30T08:15:27.412Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const digest = (text: string) => createHash("sha256").update(text).digest();
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const HOUR = 3_600_000;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;
const INSTANCE = "instance_a" as InstanceId;
const APPLICATION = "app_a" as ApplicationId;

/** Those that refer to others first. */
const TABLES = [
  "sign_on_interactions",
  "sign_on_logouts",
  "sign_on_sessions",
  "sign_on_credentials",
  "sign_on_consents",
  "sign_on_families",
  "sign_on_authorization_codes",
  "sign_on_refresh_tokens",
  "sign_on_token_families",
  "sign_on_redirect_uris",
  "sign_on_applications",
] as const;

const tokens = testTokens();

eachStore((dialect, open) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await open(signOnSets);
  });

  /** The suite's store with nothing in it but one application. */
  async function opened() {
    const db = store.store.view<SignOnTables>();
    for (const table of TABLES) await db.deleteFrom(table).execute();
    const clock = standingClock(NOW);
    const changes = createChanges<SignOnTables>({ ...store, clock, random: systemRandom });
    const write = <T>(work: (tx: Transaction<SignOnTables>) => Promise<T>) => changes.run(({ db: tx }) => work(tx));
    const applications = applicationRepository(db);
    await write((tx) => applications.create(tx, application()));
    return { db, clock, write, applications };
  }

  /** An open interaction of the application, for a second. */
  const interaction = (id: string): Interaction => {
    const { number: _number, digest: _digest, personId: _person, sessionDigest: _session, ...rest } = code();
    const { authenticatedAt: _authenticated, issuedAt: _issued, ...request } = rest;
    return {
      ...request,
      ...{ id, secretDigest: digest(id), createdAt: NOW, expiresAt: later(1_000) },
      ...{ state: undefined, prompts: [], maxAgeSeconds: undefined, loginHint: undefined },
      ...{ responseMode: "query", uiLocales: undefined, expectedPersonIds: undefined },
    };
  };

  const application = (more: Partial<Application> = {}): Application => ({
    id: APPLICATION,
    name: "Marigold",
    kind: "web",
    secretDigest: digest("secret"),
    previousSecret: undefined,
    scopes: ["openid", "email"],
    pkceRequired: false,
    consentPolicy: "once",
    lifetimes: DEFAULT_LIFETIMES,
    redirectUris: [
      { uri: "https://b.example/cb", instanceId: INSTANCE },
      { uri: "https://a.example/cb", instanceId: "instance_b" as InstanceId },
    ],
    grantTypes: ["authorization_code", "refresh_token"],
    refreshRepeatSeconds: 30,
    corsOrigins: ["https://a.example"],
    postLogoutRedirectUris: ["https://a.example/bye"],
    createdAt: NOW,
    updatedAt: NOW,
    disabledAt: undefined,
    ...more,
  });
  const code = (more: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
    number: 1,
    digest: digest("code"),
    applicationId: APPLICATION,
    redirectUri: "https://b.example/cb",
    instanceId: INSTANCE,
    personId: MAREN,
    sessionDigest: digest("session"),
    scopes: ["openid"],
    nonce: undefined,
    codeChallenge: undefined,
    claims: { userinfo: ["name"], idToken: ["email"] },
    authenticatedAt: NOW,
    issuedAt: NOW,
    expiresAt: later(600_000),
    ...more,
  });
  /** A family as a code becomes it, good for a second. */
  const family = (number: number, more: Partial<TokenFamily> = {}): TokenFamily => ({
    number,
    id: tokens.idOf(number),
    applicationId: APPLICATION,
    instanceId: INSTANCE,
    personId: MAREN,
    sessionDigest: digest("session"),
    scopes: ["openid"] as const,
    userinfoClaims: ["name"] as const,
    authenticatedAt: NOW,
    issuedAt: NOW,
    expiresAt: later(1_000),
    generation: 1,
    current: { digest: digest(`token ${number}`), issuedAt: NOW, expiresAt: later(500) },
    replacement: undefined,
    ...more,
  });
  const redemption = (of: TokenFamily, at = NOW) => ({
    at,
    tokenDigest: of.current.digest,
    tokenExpiresAt: of.current.expiresAt,
    familyEndsAt: of.expiresAt,
  });
  const create = async (tx: Transaction<SignOnTables>, of: TokenFamily) => {
    const codes = authorizationCodeRepository(tx);
    const issued = code({ number: of.number, personId: of.personId });
    await codes.create(tx, issued);
    expect(await codes.redeem(tx, issued, redemption(of))).toBe(true);
  };

  it("applications come back as they were written, with their redirect URIs", async () => {
    const { applications, write } = await opened();
    const other = application({
      id: "app_b" as ApplicationId,
      kind: "native",
      secretDigest: undefined,
      pkceRequired: true,
      consentPolicy: "never",
      createdAt: later(1),
      redirectUris: [{ uri: "com.example.app:/cb", instanceId: INSTANCE }],
    });
    await write((tx) => applications.create(tx, other));
    const sorted = { ...application(), redirectUris: application().redirectUris.toReversed() };
    expect(await applications.find(APPLICATION)).toEqual(sorted);
    expect(await applications.list({ limit: 2, after: null })).toEqual([sorted, other]);
    expect(await applications.list({ limit: 2, after: sorted })).toEqual([other]);
    const { name } = application();
    expect(await applications.list({ limit: 2, after: sorted, name: name.toUpperCase() })).toEqual([other]);
    expect(await applications.list({ limit: 2, after: null, name: `${name}%` })).toEqual([]);
    expect(await applications.find("app_c")).toBeUndefined();
    expect(await applications.find("")).toBeUndefined();
  });

  it("a disabled application is found only by who asks for any", async () => {
    const { applications, write } = await opened();
    const disabled = application({
      id: "app_d" as ApplicationId,
      disabledAt: later(5),
      previousSecret: { digest: digest("before"), expiresAt: later(9), lastUsedAt: later(4) },
    });
    await write((tx) => applications.create(tx, disabled));
    expect(await applications.find("app_d")).toBeUndefined();
    expect(await applications.findAny("app_d")).toEqual({
      ...disabled,
      redirectUris: disabled.redirectUris.toReversed(),
    });
    expect(await applications.findAny("app_c")).toBeUndefined();
  });

  it("an application is read again after the next commit, on the embedded store not before (R-X227)", async () => {
    const { applications, write } = await opened();
    const changes = applicationChangeRepository();
    const found = () => applications.findAny(APPLICATION);
    const changed = [
      await found(),
      await write((tx) => changes.replaceFields(tx, APPLICATION, application({ name: "Larch" }), NOW)).then(found),
      await write((tx) => changes.removeRedirectUri(tx, APPLICATION, "https://b.example/cb", NOW)).then(found),
      await write((tx) => changes.replaceDisabledAt(tx, APPLICATION, later(5), NOW)).then(found),
      await write((tx) => changes.end(tx, APPLICATION, later(6))).then(found),
    ];
    expect(changed.map((one) => one && [one.name, one.redirectUris.length, one.disabledAt])).toEqual([
      ["Marigold", 2, undefined],
      ["Larch", 2, undefined],
      ["Larch", 1, undefined],
      ["Larch", 1, later(5)],
      undefined,
    ]);
    await write((tx) => applications.create(tx, application({ id: "app_e" as ApplicationId })));
    const asked = await watchStatements(async () => {
      expect(await applications.find("app_e")).toEqual(await applications.findAny("app_e"));
    });
    expect(asked).toHaveLength({ sqlite: 1, postgres: 2 }[dialect]);
  });

  it("the store itself refuses an application that R-S15, R-S16 or R-S9 forbid", async () => {
    const { applications, write } = await opened();
    const wrong: Partial<Application>[] = [
      { kind: "browser", secretDigest: digest("x"), pkceRequired: true },
      { kind: "web", secretDigest: undefined },
      { kind: "native", secretDigest: undefined, pkceRequired: false },
      { lifetimes: { ...DEFAULT_LIFETIMES, authorizationCodeSeconds: 601 } },
      { lifetimes: { ...DEFAULT_LIFETIMES, authorizationCodeSeconds: 29 } },
    ];
    const tried = wrong.map((more) =>
      write((tx) => applications.create(tx, application({ id: "app_x" as ApplicationId, ...more }))).then(
        () => "written",
        () => "refused",
      ),
    );
    expect(await Promise.all(tried)).toEqual(wrong.map(() => "refused"));
    expect(await applications.find("app_x")).toBeUndefined();
  });

  describe("spending a code (S20, S21): one condition at a time", () => {
    const attempts: readonly (readonly [string, Partial<AuthorizationCode>, number, boolean])[] = [
      ["as it is", {}, 0, true],
      ["in its last millisecond", {}, 599_999, true],
      ["when it has just expired", {}, 600_000, false],
      ["a second after it expired", {}, 601_000, false],
      ["for another application", { applicationId: "app_b" as ApplicationId }, 0, false],
      ["with another redirect URI", { redirectUri: "https://a.example/cb" }, 0, false],
      ["under another digest", { digest: digest("other") }, 0, false],
      ["under another number", { number: 2 }, 0, false],
    ];

    it.each(attempts)("%s", async (_title, differing, ms, expected) => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      expect(await write((tx) => codes.redeem(tx, code(differing), redemption(family(1), later(ms))))).toBe(expected);
      expect((await codes.find(1))?.isRedeemed).toBe(expected);
      expect((await familiesOf(db).find(1))?.current).toEqual(
        expected ? { ...family(1).current, issuedAt: later(ms) } : undefined,
      );
    });

    it("once", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      const first = await write((tx) => codes.redeem(tx, code(), redemption(family(1))));
      const another = { ...redemption(family(1)), tokenDigest: digest("another") };
      const second = await write((tx) => codes.redeem(tx, code(), another));
      const { digest: kept } = (await familiesOf(db).find(1))?.current ?? {};
      expect([first, second, kept]).toEqual([true, false, family(1).current.digest]);
    });

    it("not at all when the transaction fails", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      const failing = write(async (tx) => {
        await codes.redeem(tx, code(), redemption(family(1)));
        throw new Error("after it");
      });
      await expect(failing).rejects.toThrow("after it");
      expect((await codes.find(1))?.isRedeemed).toBe(false);
    });

    it("never twice under one number: the store takes no second code of it", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      expect(await write((tx) => codes.create(tx, code({ personId: TOMAS, digest: digest("b") })))).toBe(false);
      expect(await codes.find(1)).toEqual({ ...code(), isRedeemed: false });
    });
  });

  it("expires the unspent codes of one person only", async () => {
    const { db, write } = await opened();
    const codes = authorizationCodeRepository(db);
    const of = (number: number, personId: PersonId) => code({ number, personId });
    await write(async (tx) => {
      for (const one of [of(1, MAREN), of(2, MAREN), of(3, TOMAS)]) await codes.create(tx, one);
      await codes.redeem(tx, of(1, MAREN), redemption(family(1)));
      await codeExpiryRepository(db).expireAllOf(tx, MAREN, NOW);
    });
    const ends = await Promise.all([1, 2, 3].map(async (number) => (await codes.find(number))?.expiresAt));
    expect(ends).toEqual([family(1).current.expiresAt, later(-60_000), later(600_000)]);
  });

  it("leaves a code alone that had expired by every process's clock, so that it is still told apart", async () => {
    const { db, write } = await opened();
    const codes = authorizationCodeRepository(db);
    const endsAt = (ms: number) => code({ number: ms, expiresAt: later(ms) });
    const ended = later(700_000);
    await write(async (tx) => {
      for (const one of [endsAt(640_000), endsAt(640_001)]) await codes.create(tx, one);
      await codeExpiryRepository(db).expireAllOf(tx, MAREN, ended);
    });
    const ends = await Promise.all([640_000, 640_001].map(async (number) => (await codes.find(number))?.expiresAt));
    expect(ends).toEqual([later(640_000), later(-60_000)]);
  });

  it("families are alive until they are revoked, once, or expire", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    const [a, b, c] = [family(1), family(2), family(3, { personId: TOMAS })];
    await write(async (tx) => {
      for (const one of [a, b, c]) await create(tx, one);
    });
    expect(await families.findLive(1, later(999))).toEqual(a);
    expect(await families.findLive(1, later(1_000))).toBeUndefined();
    expect(await families.find(1)).toEqual(a);
    expect(await families.findLive(0, NOW)).toBeUndefined();
    expect(await write((tx) => revocations.revoke(tx, 1, "first", NOW))).toBe(true);
    expect(await write((tx) => revocations.revoke(tx, 1, "second", NOW))).toBe(false);
    expect(await write((tx) => revocations.revoke(tx, 9, "unknown", NOW))).toBe(false);
    await write((tx) => revocations.revokeAllOf(tx, MAREN, "all", NOW));
    expect(await Promise.all([1, 2, 3].map((number) => families.findLive(number, NOW)))).toEqual([
      undefined,
      undefined,
      c,
    ]);
    const reasons = await db.selectFrom("sign_on_families").select("revoked_because").orderBy("number").execute();
    expect(reasons.map((row) => row.revoked_because)).toEqual(["first", "all", null]);
  });

  it("a person sees no access of an application that was disabled since, whatever it is now (R-X118)", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    await write((tx) => create(tx, family(1)));
    const [access] = await families.listAccessesOf(MAREN, NOW);
    expect(access?.scopes).toEqual(family(1).scopes);
    await db
      .updateTable("sign_on_applications")
      .set({ issues_void_until: later(1).getTime() })
      .execute();
    expect([await families.findLive(1, NOW), await families.listAccessesOf(MAREN, NOW)]).toEqual([undefined, []]);
  });

  it("a person sees no access of an application whose last tokens have expired unused (R-X118)", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    await write((tx) => create(tx, family(1, { expiresAt: later(180 * 24 * HOUR) })));
    // The refresh token is over after 500 ms; an access token lives an hour, and may be of a repeat 30 seconds later.
    const last = HOUR + 30_000;
    const seen = [499, 500, last - 1, last].map((ms) => families.listAccessesOf(MAREN, later(ms)));
    expect((await Promise.all(seen)).map((accesses) => accesses.length)).toEqual([1, 1, 1, 0]);
  });

  it("a code that was not redeemed is no family: nothing finds it as one, and nothing revokes it", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    await write((tx) => authorizationCodeRepository(tx).create(tx, code()));
    expect([await families.find(1), await families.findLive(1, NOW)]).toEqual([undefined, undefined]);
    expect(await write((tx) => revocations.revoke(tx, 1, "too early", NOW))).toBe(false);
    expect(await families.listAccessesOf(MAREN, NOW)).toEqual([]);
  });

  it("a refresh token is replaced once, in time, and its family has one leaf (I7)", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    const first = family(1);
    await write((tx) => create(tx, first));
    const by = (text: string, at: Date) => ({ at, salt: digest(text), scopes: ["openid"] as const });
    const next = (text: string, at: Date) => ({ digest: digest(text), issuedAt: at, expiresAt: later(900) });
    const replacing = (of: TokenFamily, text: string, at: Date) =>
      write((tx) => families.replace(tx, of, by(`salt of ${text}`, at), next(text, at)));
    expect(await replacing(first, "late", later(500))).toBe(false);
    expect(await replacing(first, "two", later(499))).toBe(true);
    expect(await replacing(first, "other two", later(499))).toBe(false);
    expect(await replacing({ ...first, generation: 2 }, "x", later(499))).toBe(false);
    expect(await replacing({ ...first, number: 9 }, "x", NOW)).toBe(false);
    const second = {
      ...first,
      generation: 2,
      current: next("two", later(499)),
      replacement: by("salt of two", later(499)),
    };
    expect(await families.find(1)).toEqual(second);
    expect(await replacing(second, "three", later(899))).toBe(true);
    // Of the first token nothing is left: no digest, no salt.
    expect(await families.find(1)).toEqual({
      ...second,
      generation: 3,
      current: next("three", later(899)),
      replacement: by("salt of three", later(899)),
    });
  });

  it("an access token that was revoked by itself finds no family, its siblings do (R-S20)", async () => {
    const { db, write } = await opened();
    const families = familiesOf(db);
    const a = family(1);
    const [one, two, other] = [`${a.id}.one`, `${a.id}.two`, `${tokens.idOf(2)}.one`] as const;
    await write((tx) => create(tx, a));
    expect(await families.findLiveBehind(one, NOW)).toEqual(a);
    expect(await write((tx) => revocations.revokeAccessToken(tx, one, later(500), NOW))).toBe(true);
    expect(await write((tx) => revocations.revokeAccessToken(tx, one, later(500), later(1)))).toBe(false);
    const found = await Promise.all([one, two, other, ""].map((id) => families.findLiveBehind(id, NOW)));
    expect(found).toEqual([undefined, a, undefined, undefined]);
    expect(await families.findLiveBehind(two, later(1_000))).toBeUndefined();
  });

  it("an interaction is open until it ends, once, or expires", async () => {
    const { db, write } = await opened();
    const interactions = interactionRepository(db);
    const request = {
      ...code(),
      state: 'st"🙂\r\n',
      nonce: "n",
      prompts: ["login"] as const,
      maxAgeSeconds: 0,
      loginHint: "",
      responseMode: "form_post" as const,
      uiLocales: "de en",
      expectedPersonIds: [TOMAS],
    };
    const { number: _number, digest: _digest, personId, sessionDigest, authenticatedAt, issuedAt, ...rest } = request;
    const interaction = { ...rest, id: "i", secretDigest: digest("s"), createdAt: NOW, expiresAt: later(1_000) };
    await write((tx) => interactions.create(tx, interaction));
    expect(await interactions.findOpen("i", later(999))).toEqual(interaction);
    expect(await interactions.findOpen("i", later(1_000))).toBeUndefined();
    expect(await write((tx) => interactions.end(tx, "i", NOW))).toBe(true);
    expect(await write((tx) => interactions.end(tx, "i", NOW))).toBe(false);
    expect(await interactions.findOpen("i", NOW)).toBeUndefined();
  });

  it("an interaction names its redirect URI, open or not, while that is registered and its application enabled", async () => {
    const { db, write } = await opened();
    const interactions = interactionRepository(db);
    const { redirectUri } = code();
    await write(async (tx) => {
      for (const id of ["open", "ended"]) await interactions.create(tx, interaction(id));
      await interactions.end(tx, "ended", NOW);
      await interactions.create(tx, { ...interaction("other"), redirectUri: `${redirectUri}/other` });
    });
    const named = () => Promise.all(["open", "ended", "other", "none"].map((id) => interactions.findRedirectUri(id)));
    expect(await named()).toEqual([redirectUri, redirectUri, undefined, undefined]);
    await write((tx) => applicationChangeRepository().replaceDisabledAt(tx, APPLICATION, NOW, NOW));
    expect(await named()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("an interaction is prolonged while it is open, and given up while it is open and was not prolonged", async () => {
    const { db, write } = await opened();
    const interactions = interactionRepository(db);
    const ids = ["open", "prolonged", "ended"];
    await write(async (tx) => {
      for (const id of ids) await interactions.create(tx, interaction(id));
      await interactions.end(tx, "ended", NOW);
      for (const id of ["prolonged", "ended"]) await interactions.prolong(tx, id, later(2_000));
    });
    const left = async () => {
      const rows = await db.selectFrom("sign_on_interactions").select(["id", "expires_at"]).orderBy("id").execute();
      return rows.map(({ id, expires_at }) => [id, expires_at - NOW.getTime()]);
    };
    expect(await left()).toEqual([
      ["ended", 1_000],
      ["open", 1_000],
      ["prolonged", 2_000],
    ]);
    await write(async (tx) => {
      for (const id of ids) await interactions.giveUp(tx, { id, expiresAt: later(1_000) });
    });
    expect((await left()).map(([id]) => id)).toEqual(["ended", "prolonged"]);
  });

  it("a session lives until it ends, was idle too long, or reached its limit (R-X7)", async () => {
    const { db, write } = await opened();
    const sessions = sessionRepository(db);
    const session = (text: string, personId = MAREN) => ({
      digest: digest(text),
      personId,
      authenticatedAt: NOW,
      seenAt: NOW,
      expiresAt: later(1_000),
      device: { browser: "Firefox", system: "Linux" },
    });
    await write(async (tx) => {
      for (const one of [session("a"), session("b"), session("c", TOMAS)]) await sessions.create(tx, one);
    });
    const idle = (ms: number) => sessions.findLive(digest("a"), later(ms), later(ms - 400));
    expect(await idle(399)).toEqual(session("a"));
    expect(await idle(400)).toBeUndefined();
    await write((tx) => sessions.use(tx, digest("a"), later(399)));
    expect(await idle(798)).toEqual({ ...session("a"), seenAt: later(399) });
    expect(await sessions.findLive(digest("a"), later(1_000), NOW)).toBeUndefined();
    const listed = async (ms: number, idleSince: Date) => {
      const rows = await sessions.listLiveOf(MAREN, later(ms), idleSince);
      return rows.map(({ digest: of }) => (of.equals(digest("a")) ? "a" : "b")).toSorted();
    };
    expect(await listed(999, later(-1))).toEqual(["a", "b"]);
    expect(await listed(999, NOW)).toEqual(["a"]);
    expect(await listed(1_000, later(-1))).toEqual([]);
    await write((tx) => sessions.end(tx, digest("a"), NOW));
    expect(await listed(999, later(-1))).toEqual(["b"]);
    await write((tx) => sessions.endAllOf(tx, MAREN, later(1)));
    const alive = await Promise.all(["a", "b", "c"].map((text) => sessions.findLive(digest(text), NOW, later(-1))));
    expect(alive.map((one) => one?.personId)).toEqual([undefined, undefined, TOMAS]);
    const ended = await db
      .selectFrom("sign_on_sessions")
      .select("ended_at")
      .where("digest", "=", digest("a"))
      .execute();
    expect(ended).toEqual([{ ended_at: NOW.getTime() }]);
  });

  it("consents add up, per person, application and instance (R-S18)", async () => {
    const { db, write } = await opened();
    const consents = consentRepository(db);
    const subject = { personId: MAREN, applicationId: APPLICATION, instanceId: INSTANCE };
    await write((tx) => consents.grant(tx, subject, ["openid"], NOW));
    await write((tx) => consents.grant(tx, subject, ["email", "openid"], later(1)));
    const found = await Promise.all(
      [subject, { ...subject, personId: TOMAS }, { ...subject, instanceId: "instance_b" as InstanceId }].map((one) =>
        consents.findScopes(one),
      ),
    );
    expect(found).toEqual([["openid", "email"], [], []]);
    const { personId: _person, ...access } = subject;
    expect(await consents.listOf(MAREN)).toEqual([{ ...access, scopes: ["openid", "email"], since: later(1) }]);
  });

  it("a session is read with what its person approved for that application on that instance alone, while it lives (R-S18, R-X7)", async () => {
    const { db, write, applications } = await opened();
    const [sessions, consents] = [sessionRepository(db), consentRepository(db)];
    const of = (text: string, personId: PersonId) => ({
      digest: digest(text),
      personId,
      authenticatedAt: NOW,
      seenAt: NOW,
      expiresAt: later(1_000),
      device: { browser: "Firefox", system: "Linux" },
    });
    const access = { applicationId: APPLICATION, instanceId: INSTANCE };
    const elsewhere = "instance_b" as InstanceId;
    const another = "app_b" as ApplicationId;
    await write(async (tx) => {
      await applications.create(tx, application({ id: another }));
      for (const one of [of("a", MAREN), of("ended", MAREN), of("b", TOMAS)]) await sessions.create(tx, one);
      await sessions.end(tx, digest("ended"), NOW);
      await consents.grant(tx, { ...access, personId: MAREN }, ["openid"], NOW);
      await consents.grant(tx, { ...access, personId: MAREN, instanceId: elsewhere }, ["email"], NOW);
      await consents.grant(tx, { ...access, applicationId: another, personId: MAREN }, ["profile"], NOW);
    });
    const approved = async (text: string, now: Date, idleSince: Date, named = access) =>
      (await sessions.findConsenting(digest(text), now, idleSince, named))?.approvedScopes;
    const idle = later(-1);
    expect(await approved("a", NOW, idle)).toEqual(["openid"]);
    expect(await approved("a", NOW, idle, { ...access, instanceId: elsewhere })).toEqual(["email"]);
    expect(await approved("a", NOW, idle, { ...access, instanceId: "instance_c" as InstanceId })).toEqual([]);
    expect(await approved("a", NOW, idle, { ...access, applicationId: "app_c" as ApplicationId })).toEqual([]);
    expect(await approved("b", NOW, idle)).toEqual([]);
    expect(await approved("a", later(999), idle)).toEqual(["openid"]);
    const gone = [approved("ended", NOW, idle), approved("a", later(1_000), idle), approved("a", NOW, NOW)];
    expect(await Promise.all(gone)).toEqual([undefined, undefined, undefined]);
  });

  it("consents that two sessions give at once add up (R-S18)", async () => {
    const { db, write } = await opened();
    const consents = consentRepository(db);
    const subject = { personId: MAREN, applicationId: APPLICATION, instanceId: INSTANCE };
    /** Grants a scope each; the first commits once the second has had time to ask. */
    const bothGrant = async (one: string, other: string) => {
      const { promise: isGranted, resolve: granted } = Promise.withResolvers<void>();
      const first = write(async (tx) => {
        await consents.grant(tx, subject, [one], NOW);
        granted();
        await setTimeout(50);
      });
      await isGranted;
      await Promise.all([first, write((tx) => consents.grant(tx, subject, [other], later(1)))]);
      return consents.findScopes(subject);
    };
    expect(await bothGrant("openid", "email")).toEqual(["openid", "email"]);
    expect(await bothGrant("profile", "gatehouse")).toEqual(["openid", "email", "profile", "gatehouse"]);
  });

  it("a consent is given while what was consented to before is removed (R-S18)", async () => {
    const { db, write } = await opened();
    const consents = consentRepository(db);
    const subject = { personId: MAREN, applicationId: APPLICATION, instanceId: INSTANCE };
    for (let round = 0; round < 100; round++) {
      await write((tx) => consents.grant(tx, subject, ["openid"], NOW));
      await Promise.all([
        write((tx) => consents.grant(tx, subject, ["email"], later(1))),
        write((tx) => consents.withdraw(tx, subject)),
      ]);
    }
    await write((tx) => consents.grant(tx, subject, ["email"], later(1)));
    expect(await consents.findScopes(subject)).toContain("email");
  });

  it("a person has one password hash, the newest", async () => {
    const { db, write } = await opened();
    const credentials = credentialRepository(db);
    await write((tx) => credentials.setPasswordHash(tx, MAREN, "first", NOW));
    await write((tx) => credentials.setPasswordHash(tx, MAREN, "second", later(1)));
    expect(await credentials.findPasswordHash(MAREN)).toBe("second");
    expect(await credentials.findPasswordHash(TOMAS)).toBeUndefined();
  });

  it("the sweep removes what expired long ago, in batches, and nothing that a replay or a token still needs", async () => {
    const { db, clock, write } = await opened();
    const codes = authorizationCodeRepository(db);
    const at = (index: number) => firstNumberAt(NOW) + index;
    const current = (hours: number) => ({ digest: digest("t"), issuedAt: NOW, expiresAt: later(hours * HOUR) });
    await write(async (tx) => {
      for (let index = 0; index < 603; index++) await codes.create(tx, code({ number: at(index) }));
      await codes.create(tx, code({ number: at(700), expiresAt: later(HOUR) }));
      await create(tx, family(at(800), { expiresAt: later(HOUR), current: current(1) }));
      await create(tx, family(at(801), { expiresAt: later(400 * HOUR), current: current(1) }));
      await create(tx, family(at(802), { expiresAt: later(400 * HOUR), current: current(72) }));
    });
    const { sweep } = familySweepRepository(db);
    /** How many codes and families are left. */
    const swept = async () => {
      await sweep(clock.now().getTime(), new AbortController().signal);
      const rows = await db.selectFrom("sign_on_families").select("generation").execute();
      return [0, 1].map((kind) => rows.filter(({ generation }) => generation === kind).length);
    };
    clock.step(24 * HOUR + 600_000);
    expect(await swept()).toEqual([604, 3]);
    clock.step(1);
    expect(await swept()).toEqual([1, 3]);
    clock.step(HOUR);
    expect(await swept()).toEqual([0, 3]);
    clock.step(24 * HOUR);
    expect(await swept()).toEqual([0, 1]);
    clock.step(71 * HOUR);
    expect(await swept()).toEqual([0, 0]);
  });

  it("the sweep runs by itself, and empties the tables from before families had numbers", async () => {
    const { db, clock } = await opened();
    const authorized = { applicationId: APPLICATION, instanceId: INSTANCE, personId: MAREN, redirectUri: "x" };
    const earlier = earlierRows(store.store.view(), { ...authorized, at: NOW.getTime() });
    await earlier.code("code", "family");
    await earlier.family("family");
    await earlier.refreshToken("token", "family");
    clock.step(183 * 24 * HOUR);
    const stop = new AbortController();
    const run = signOnSweepLoop(db, clock).run(stop.signal);
    const left = () => db.selectFrom("sign_on_token_families").select("id").execute();
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);
    stop.abort();
    await run;
    expect(await db.selectFrom("sign_on_refresh_tokens").select("digest").execute()).toEqual([]);
    expect(await db.selectFrom("sign_on_authorization_codes").select("digest").execute()).toEqual([]);
  });
});
