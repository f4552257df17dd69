import { createHash } from "node:crypto";
import type { ApplicationId, InstanceId, PersonId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import type { Transaction } from "../../src/runtime/database/database.ts";
import type { Application } from "../../src/sign-on/applications/application.ts";
import { DEFAULT_LIFETIMES } from "../../src/sign-on/applications/application.ts";
import { applicationRepository } from "../../src/sign-on/applications/application-repository.ts";
import {
  type AuthorizationCode,
  authorizationCodeRepository,
} from "../../src/sign-on/authorization-codes/authorization-code-repository.ts";
import { consentRepository } from "../../src/sign-on/consents/consent-repository.ts";
import { credentialRepository } from "../../src/sign-on/credentials/credential-repository.ts";
import { interactionRepository } from "../../src/sign-on/interactions/interaction-repository.ts";
import { refreshTokenRepository } from "../../src/sign-on/refresh-tokens/refresh-token-repository.ts";
import { tokenFamilyRepository } from "../../src/sign-on/refresh-tokens/token-family-repository.ts";
import { sessionRepository } from "../../src/sign-on/sessions/session-repository.ts";
import { signOnSweepLoop } from "../../src/sign-on/sweep-loop.ts";
import type { SignOnTables } from "../../src/sign-on/tables.ts";
import { standingClock } from "../support/clock.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { signOnSets } from "./sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const digest = (text: string) => createHash("sha256").update(text).digest();
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
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
  "sign_on_authorization_codes",
  "sign_on_refresh_tokens",
  "sign_on_token_families",
  "sign_on_redirect_uris",
  "sign_on_applications",
] as const;

eachStore((_, open) => {
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
  const family = (id: string, more: object = {}) => ({
    id,
    applicationId: APPLICATION,
    instanceId: INSTANCE,
    personId: MAREN,
    sessionDigest: digest("session"),
    scopes: ["openid"] as const,
    userinfoClaims: ["name"] as const,
    authenticatedAt: NOW,
    issuedAt: NOW,
    expiresAt: later(1_000),
    ...more,
  });

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
      previousSecret: { digest: digest("before"), expiresAt: later(9) },
    });
    await write((tx) => applications.create(tx, disabled));
    expect(await applications.find("app_d")).toBeUndefined();
    expect(await applications.findAny("app_d")).toEqual({
      ...disabled,
      redirectUris: disabled.redirectUris.toReversed(),
    });
    expect(await applications.findAny("app_c")).toBeUndefined();
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
    ];

    it.each(attempts)("%s", async (_title, differing, ms, expected) => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      expect(await write((tx) => codes.spend(tx, code(differing), "family", later(ms)))).toBe(expected);
      expect((await codes.find(digest("code")))?.familyId).toBe(expected ? "family" : undefined);
    });

    it("once", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      const first = await write((tx) => codes.spend(tx, code(), "first", NOW));
      const second = await write((tx) => codes.spend(tx, code(), "second", NOW));
      expect([first, second, (await codes.find(digest("code")))?.familyId]).toEqual([true, false, "first"]);
    });

    it("not at all when the transaction fails", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      const failing = write(async (tx) => {
        await codes.spend(tx, code(), "family", NOW);
        throw new Error("after it");
      });
      await expect(failing).rejects.toThrow("after it");
      expect((await codes.find(digest("code")))?.familyId).toBeUndefined();
    });

    it("never twice under one digest: the store takes no second code of it", async () => {
      const { db, write } = await opened();
      const codes = authorizationCodeRepository(db);
      await write((tx) => codes.create(tx, code()));
      await expect(write((tx) => codes.create(tx, code({ personId: TOMAS })))).rejects.toThrow();
      expect(await codes.find(digest("code"))).toEqual({ ...code(), familyId: undefined });
    });
  });

  it("expires the unspent codes of one person only", async () => {
    const { db, write } = await opened();
    const codes = authorizationCodeRepository(db);
    const of = (text: string, personId: PersonId) => code({ digest: digest(text), personId });
    await write(async (tx) => {
      for (const one of [of("a", MAREN), of("b", MAREN), of("c", TOMAS)]) await codes.create(tx, one);
      await codes.spend(tx, of("a", MAREN), "family", NOW);
      await codes.expireAllOf(tx, MAREN, later(5));
    });
    const ends = await Promise.all(["a", "b", "c"].map(async (text) => (await codes.find(digest(text)))?.expiresAt));
    expect(ends).toEqual([later(600_000), later(5), later(600_000)]);
  });

  it("families are alive until they are revoked, once, or expire", async () => {
    const { db, write } = await opened();
    const families = tokenFamilyRepository(db);
    await write(async (tx) => {
      for (const id of ["a", "b"]) await families.create(tx, family(id));
      await families.create(tx, family("c", { personId: TOMAS }));
    });
    expect(await families.findLive("a", later(999))).toEqual(family("a"));
    expect(await families.findLive("a", later(1_000))).toBeUndefined();
    expect(await families.findLive("", NOW)).toBeUndefined();
    expect(await write((tx) => families.revoke(tx, "a", "first", NOW))).toBe(true);
    expect(await write((tx) => families.revoke(tx, "a", "second", NOW))).toBe(false);
    expect(await write((tx) => families.revoke(tx, "x", "unknown", NOW))).toBe(false);
    await write((tx) => families.revokeAllOf(tx, MAREN, "all", NOW));
    expect(await Promise.all(["a", "b", "c"].map((id) => families.findLive(id, NOW)))).toEqual([
      undefined,
      undefined,
      family("c", { personId: TOMAS }),
    ]);
    const reasons = await db.selectFrom("sign_on_token_families").select("revoked_because").orderBy("id").execute();
    expect(reasons.map((row) => row.revoked_because)).toEqual(["first", "all", null]);
  });

  it("a refresh token is replaced once, in time, and its family has one leaf (I7)", async () => {
    const { db, write } = await opened();
    const families = tokenFamilyRepository(db);
    const tokens = refreshTokenRepository(db);
    const token = (text: string, predecessor?: Buffer) => ({
      digest: digest(text),
      familyId: "a",
      issuedAt: NOW,
      expiresAt: later(500),
      predecessor,
    });
    await write(async (tx) => {
      await families.create(tx, family("a"));
      await tokens.create(tx, token("one"));
    });
    await expect(write((tx) => tokens.create(tx, token("two")))).rejects.toThrow();
    const by = (text: string, at: Date) => ({ at, salt: digest(text), scopes: ["openid"] as const });
    expect(await write((tx) => tokens.replace(tx, token("one"), by("late", later(500))))).toBe(false);
    expect(await write((tx) => tokens.replace(tx, token("one"), by("first", later(499))))).toBe(true);
    expect(await write((tx) => tokens.replace(tx, token("one"), by("second", later(499))))).toBe(false);
    expect(await write((tx) => tokens.replace(tx, token("unknown"), by("x", NOW)))).toBe(false);
    const two = token("two", digest("one"));
    await write((tx) => tokens.create(tx, two));
    expect(await tokens.find(digest("one"))).toEqual({ ...token("one"), replacement: by("first", later(499)) });
    expect(await tokens.find(digest("two"))).toEqual({ ...two, replacement: undefined });
    expect(await write((tx) => tokens.replace(tx, two, by("third", later(499))))).toBe(true);
    const forgotten = { ...by("first", later(499)), salt: Buffer.alloc(0) };
    expect(await tokens.find(digest("one"))).toEqual({ ...token("one"), replacement: forgotten });
    expect(await tokens.find(digest("two"))).toEqual({ ...two, replacement: by("third", later(499)) });
  });

  it("an access token that was revoked by itself finds no family, its siblings do (R-S20)", async () => {
    const { db, write } = await opened();
    const families = tokenFamilyRepository(db);
    await write((tx) => families.create(tx, family("a")));
    expect(await families.findLiveBehind("a.one", NOW)).toEqual(family("a"));
    expect(await write((tx) => families.revokeAccessToken(tx, "a.one", later(500), NOW))).toBe(true);
    expect(await write((tx) => families.revokeAccessToken(tx, "a.one", later(500), later(1)))).toBe(false);
    const found = await Promise.all(["a.one", "a.two", "b.one", ""].map((id) => families.findLiveBehind(id, NOW)));
    expect(found).toEqual([undefined, family("a"), undefined, undefined]);
    expect(await families.findLiveBehind("a.two", later(1_000))).toBeUndefined();
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
    const { digest: _digest, personId, sessionDigest, authenticatedAt, issuedAt, ...rest } = request;
    const interaction = { ...rest, id: "i", secretDigest: digest("s"), createdAt: NOW, expiresAt: later(1_000) };
    await write((tx) => interactions.create(tx, interaction));
    expect(await interactions.findOpen("i", later(999))).toEqual(interaction);
    expect(await interactions.findOpen("i", later(1_000))).toBeUndefined();
    expect(await write((tx) => interactions.end(tx, "i", NOW))).toBe(true);
    expect(await write((tx) => interactions.end(tx, "i", NOW))).toBe(false);
    expect(await interactions.findOpen("i", NOW)).toBeUndefined();
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
    await write((tx) => sessions.end(tx, digest("a"), NOW));
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
    const families = tokenFamilyRepository(db);
    const tokens = refreshTokenRepository(db);
    await write(async (tx) => {
      for (let index = 0; index < 603; index++) await codes.create(tx, code({ digest: digest(`old ${index}`) }));
      await codes.create(tx, code({ digest: digest("young"), expiresAt: later(3_600_000) }));
      await families.create(tx, family("old"));
      await families.create(tx, family("held"));
      const token = {
        digest: digest("t"),
        familyId: "held",
        issuedAt: NOW,
        expiresAt: later(72 * 3_600_000),
        predecessor: undefined,
      };
      await tokens.create(tx, token);
    });
    /** Families are swept last; a useless one shows when the sweep has finished. */
    const sweep = async () => {
      await write((tx) => families.create(tx, family("last", { expiresAt: new Date(0) })));
      const stop = new AbortController();
      const run = signOnSweepLoop(db, clock).run(stop.signal);
      const last = db.selectFrom("sign_on_token_families").select("id").where("id", "=", "last");
      while ((await last.execute()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort();
      await run;
      const count = async (table: "sign_on_authorization_codes" | "sign_on_token_families") =>
        (await db.selectFrom(table).select("expires_at").execute()).length;
      return [await count("sign_on_authorization_codes"), await count("sign_on_token_families")];
    };
    clock.step(24 * 3_600_000 + 600_000);
    expect(await sweep()).toEqual([604, 2]);
    clock.step(1);
    expect(await sweep()).toEqual([1, 2]);
    clock.step(24 * 3_600_000);
    expect(await sweep()).toEqual([0, 1]);
  });
});
