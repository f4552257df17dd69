import {
  type SigningKey,
  SigningKeyState,
  SigningKeysService,
} from "../../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { keySchedule } from "../../../src/sign-on/signing-keys/key-schedule.ts";
import { newSigningKey } from "../../../src/sign-on/signing-keys/new-signing-keys-service.ts";
import type { SigningAlgorithm } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import { auditEntries } from "../../support/audited.ts";
import { obtainCode, redeem } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { makeWorld } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";
import { DAY, HOUR, MINUTE, openKeys } from "./keys-fixture.ts";

const SETTINGS = {
  "jwks-max-age-seconds": 300,
  "signing-key-rotation-days": 90,
  "signing-key-publish-minutes": 60,
  "signing-key-retiring-hours": 48,
};
const AHEAD_MS = 65 * MINUTE;
const LEAKED = "the backup was found on a public share";
const [NEXT, ACTIVE, RETIRING, RETIRED] = [
  SigningKeyState.NEXT,
  SigningKeyState.ACTIVE,
  SigningKeyState.RETIRING,
  SigningKeyState.RETIRED,
];

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

eachStore((_, open) => {
  let opened: TestStore;
  let signOn: SignOn;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    opened = await open(signOnSets);
    signOn = await openSignOn(opened, closeLater, { settings: SETTINGS });
  });

  const operator = () => signOn.as("operator", SigningKeysService);
  const rotation = () =>
    openKeys(opened, { clock: signOn.clock, schedule: keySchedule(SETTINGS), algorithms: ["RS256", "ES256"] });
  const list = async (retired = true): Promise<readonly SigningKey[]> =>
    (await operator().listSigningKeys({ retired })).keys;
  const states = (keys: readonly SigningKey[], algorithm: SigningAlgorithm) =>
    keys.filter((key) => key.algorithm === algorithm).map(({ state }) => state.replace("SIGNING_KEY_STATE_", ""));
  const keyOf = async (algorithm: SigningAlgorithm, state: SigningKeyState) =>
    (await list()).find((key) => key.algorithm === algorithm && key.state === state) as SigningKey;
  const published = async () =>
    (await call(signOn.url, "/.well-known/jwks.json"))
      .json<{ keys: readonly { readonly kid: string }[] }>()
      .keys.map(({ kid }) => kid);
  const kidOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { readonly kid: string }).kid;
  const audited = async (object: string) => {
    const rows = await auditEntries(opened.store, ["actor", "action", "facts"], { object });
    return rows.map(({ actor, action, facts }) => [actor, action, JSON.parse(facts)]);
  };
  const audit = async () => (await auditEntries(opened.store, ["action"])).length;

  /** As after a start, long enough ago for every next key to be ready. */
  async function settled(): Promise<void> {
    await signOn.db.deleteFrom("sign_on_signing_keys").execute();
    await rotation().keep();
    signOn.clock.step(AHEAD_MS);
  }
  beforeEach(settled);

  describe("signing-keys list (R-S13)", () => {
    it("lists each key's state and its next change, without private halves", async () => {
      const [active, next] = [await keyOf("ES256", ACTIVE), await keyOf("ES256", NEXT)];
      const now = signOn.clock.now().getTime();
      expect(active).toEqual({
        keyId: expect.stringMatching(/^es256-[\w-]{16}$/),
        algorithm: "ES256",
        state: ACTIVE,
        createdAt: new Date(now - AHEAD_MS),
        signsFrom: new Date(now - AHEAD_MS),
        activatedAt: new Date(now - AHEAD_MS),
        replacedAt: new Date(now - AHEAD_MS + 90 * DAY),
        retiresAt: null,
        retiredAt: null,
        revokedBecause: null,
        rotationAskedAt: null,
      });
      expect(next).toMatchObject({ state: NEXT, signsFrom: new Date(now), activatedAt: null });
    });

    it("leaves retired keys out unless they are asked for", async () => {
      const { keyId } = await keyOf("ES256", NEXT);
      await operator().revokeSigningKey({ keyId, emergency: null });
      expect((await list(false)).map((key) => key.keyId)).not.toContain(keyId);
      expect((await list(true)).map((key) => key.keyId)).toContain(keyId);
    });
  });

  describe("signing-keys rotate (R-X103)", () => {
    it("lets a key sign that was published long enough, at once", async () => {
      const next = await keyOf("ES256", NEXT);
      const active = await keyOf("ES256", ACTIVE);
      const { keys } = await operator().rotateSigningKeys({ algorithm: "ES256", requestId: "" });
      expect(states(keys, "ES256").sort()).toEqual(["ACTIVE", "RETIRING"]);
      expect(states(keys, "RS256")).toEqual([]);
      expect((await keyOf("ES256", ACTIVE)).keyId).toBe(next.keyId);
      expect(await keyOf("ES256", RETIRING)).toMatchObject({
        keyId: active.keyId,
        retiresAt: new Date(signOn.clock.now().getTime() + 48 * HOUR),
      });
      expect(states(await list(), "RS256").sort()).toEqual(["ACTIVE", "NEXT"]);
      expect(await audited(next.keyId)).toEqual([
        ["services", "signingKey.create", { state: "next" }],
        ["operator", "signingKey.activate", { replaces: active.keyId }],
      ]);
    });

    it("lets one that was not wait for its time, and no longer", async () => {
      await operator().rotateSigningKeys({ algorithm: null, requestId: "" });
      await rotation().keep();
      const [active, next] = [await keyOf("RS256", ACTIVE), await keyOf("RS256", NEXT)];
      await operator().rotateSigningKeys({ algorithm: "RS256", requestId: "" });
      await operator().rotateSigningKeys({ algorithm: "RS256", requestId: "" });
      expect(await audited(active.keyId)).toContainEqual(["operator", "signingKey.askRotation", {}]);
      expect(await keyOf("RS256", ACTIVE)).toMatchObject({
        rotationAskedAt: signOn.clock.now(),
        replacedAt: next.signsFrom,
      });
      expect((await audited(active.keyId)).filter(([, action]) => action === "signingKey.askRotation")).toHaveLength(1);
      signOn.clock.step(AHEAD_MS - 1);
      await rotation().keep();
      expect((await keyOf("RS256", ACTIVE)).keyId).toBe(active.keyId);
      signOn.clock.step(1);
      await rotation().keep();
      expect((await keyOf("RS256", ACTIVE)).keyId).toBe(next.keyId);
      // What was asked for is done; the keys after it keep to the schedule.
      signOn.clock.step(2 * AHEAD_MS);
      await rotation().keep();
      expect((await keyOf("RS256", ACTIVE)).keyId).toBe(next.keyId);
    });

    it("refuses a next key that no master key opens; in an emergency another one takes its place (F48)", async () => {
      const [active, next] = [await keyOf("ES256", ACTIVE), await keyOf("ES256", NEXT)];
      const elsewhere = createSealer([Buffer.alloc(32, 9)], systemRandom);
      const { sealedPrivateKey: sealed_private_key } = await newSigningKey("ES256", elsewhere);
      await signOn.db
        .updateTable("sign_on_signing_keys")
        .set({ sealed_private_key })
        .where("key_id", "=", next.keyId)
        .execute();
      const rotated = operator().rotateSigningKeys({ algorithm: null, requestId: "" });
      await expect(rotated).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "signing_key_unopened" });
      expect((await keyOf("ES256", ACTIVE)).keyId).toBe(active.keyId);

      const { successor } = await operator().revokeSigningKey({ keyId: active.keyId, emergency: LEAKED });
      expect([next.keyId, undefined]).not.toContain(successor?.keyId);
      const retired = (await list()).filter(({ algorithm, state }) => algorithm === "ES256" && state === RETIRED);
      expect(new Map(retired.map(({ keyId, revokedBecause }) => [keyId, revokedBecause]))).toEqual(
        new Map([
          [active.keyId, LEAKED],
          [next.keyId, "no master key opens it"],
        ]),
      );
      expect(states(await list(), "ES256").sort()).toEqual(["ACTIVE", "RETIRED", "RETIRED"]);
      const world = await makeWorld(signOn);
      const tokens = await redeem(signOn.url, world, await obtainCode(signOn.url, world));
      expect(kidOf(tokens.json<Tokens>().access_token)).toBe(successor?.keyId);
    });

    it("does its work once for one request id (R-G18)", async () => {
      const request = { algorithm: "ES256", requestId: `rotate-${signOn.clock.now().getTime()}` };
      const first = await operator().rotateSigningKeys(request);
      await rotation().keep();
      const entries = await audit();
      expect(await operator().rotateSigningKeys(request)).toEqual(first);
      expect(await audit()).toBe(entries);
      await expect(operator().rotateSigningKeys({ ...request, algorithm: null })).rejects.toMatchObject({
        reason: "request_id_reused",
      });
    });

    it("refuses another algorithm", async () => {
      await expect(operator().rotateSigningKeys({ algorithm: "HS256", requestId: "" })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "algorithm", reason: "must be RS256 or ES256" }],
      });
    });

    it("moves each key once, also when parallel calls move it", async () => {
      const processes = (await opened.racers(4)).map((racer) =>
        openKeys(racer, { clock: signOn.clock, schedule: keySchedule(SETTINGS), algorithms: ["RS256", "ES256"] }),
      );
      await Promise.all([
        ...processes.map(({ keep }) => keep()),
        ...Array.from({ length: 4 }, () => operator().rotateSigningKeys({ algorithm: "ES256", requestId: "" })),
      ]);
      await rotation().keep();
      expect(states(await list(), "ES256").sort()).toEqual(["ACTIVE", "NEXT", "RETIRING"]);
    });
  });

  describe("signing-keys revoke (R-X104)", () => {
    async function signedIn(): Promise<{ readonly tokens: Tokens; readonly again: () => Promise<Tokens> }> {
      const world = await makeWorld(signOn);
      const again = async () => (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<Tokens>();
      return { tokens: await again(), again };
    }
    const userinfo = async (token: string) =>
      (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } })).status;

    it("in an emergency: gone from the JWKS, its tokens refused, a published successor signs, all at once", async () => {
      const { tokens, again } = await signedIn();
      const [active, next] = [await keyOf("ES256", ACTIVE), await keyOf("ES256", NEXT)];
      const known = await published();
      expect([kidOf(tokens.access_token), await userinfo(tokens.access_token)]).toEqual([active.keyId, 200]);

      const { key, successor } = await operator().revokeSigningKey({ keyId: active.keyId, emergency: ` ${LEAKED} ` });

      expect(key).toMatchObject({ state: RETIRED, revokedBecause: LEAKED, retiredAt: signOn.clock.now() });
      expect(successor).toMatchObject({ keyId: next.keyId, state: ACTIVE });
      expect(await published()).not.toContain(active.keyId);
      expect(await userinfo(tokens.access_token)).toBe(401);
      const fresh = await again();
      expect([kidOf(fresh.access_token), await userinfo(fresh.access_token)]).toEqual([next.keyId, 200]);
      expect(known).toContain(next.keyId);
      expect(states(await list(), "ES256").sort()).toEqual(["ACTIVE", "NEXT", "RETIRED"]);
      expect(await audited(active.keyId)).toContainEqual([
        "operator",
        "signingKey.revoke",
        { was: "active", emergency: true, because: LEAKED },
      ]);
      const stored = await rotation().repository.find(active.keyId);
      expect(stored?.sealedPrivateKey).toHaveLength(0);
    });

    it("does so again at once, with a key that no application has cached yet", async () => {
      const { again } = await signedIn();
      for (const _time of [1, 2, 3]) {
        const { keyId } = await keyOf("RS256", ACTIVE);
        await operator().revokeSigningKey({ keyId, emergency: LEAKED });
      }
      const { id_token, access_token } = await again();
      expect(kidOf(id_token)).toBe((await keyOf("RS256", ACTIVE)).keyId);
      expect(await published()).toContain(kidOf(id_token));
      expect(await userinfo(access_token)).toBe(200);
      expect(states(await list(), "RS256").sort()).toEqual(["ACTIVE", "NEXT", "RETIRED", "RETIRED", "RETIRED"]);
    });

    it("makes a successor where there is none", async () => {
      await signOn.db.deleteFrom("sign_on_signing_keys").where("state", "=", "next").execute();
      const { keyId } = await keyOf("ES256", ACTIVE);
      const { successor } = await operator().revokeSigningKey({ keyId, emergency: LEAKED });
      expect(successor?.keyId).not.toBe(keyId);
      expect(successor?.state).toBe(ACTIVE);
    });

    it("takes back a retiring key, whose last tokens then fail", async () => {
      const { tokens } = await signedIn();
      await operator().rotateSigningKeys({ algorithm: null, requestId: "" });
      expect(await userinfo(tokens.access_token)).toBe(200);
      const { keyId } = await keyOf("ES256", RETIRING);
      const { successor } = await operator().revokeSigningKey({ keyId, emergency: LEAKED });
      expect(successor).toBeNull();
      expect(await userinfo(tokens.access_token)).toBe(401);
      expect(await published()).not.toContain(keyId);
    });

    it.each([ACTIVE, RETIRING])("refuses without an emergency what tokens may rest on: %s", async (state) => {
      await operator().rotateSigningKeys({ algorithm: null, requestId: "" });
      const { keyId } = await keyOf("ES256", state);
      const entries = await audit();
      await expect(operator().revokeSigningKey({ keyId, emergency: null })).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "signing_key_in_use",
      });
      expect((await keyOf("ES256", state)).keyId).toBe(keyId);
      expect(await audit()).toBe(entries);
    });

    it("takes a next key without one: nothing rests on it, and another one follows", async () => {
      const { keyId } = await keyOf("ES256", NEXT);
      const { key, successor } = await operator().revokeSigningKey({ keyId, emergency: null });
      expect([key?.state, key?.revokedBecause, successor]).toEqual([RETIRED, "not wanted", null]);
      expect(await published()).not.toContain(keyId);
      await rotation().keep();
      expect((await keyOf("ES256", NEXT)).keyId).not.toBe(keyId);
    });

    it("answers a repeat as it is, and writes nothing (R-X51)", async () => {
      const { keyId } = await keyOf("ES256", ACTIVE);
      await operator().revokeSigningKey({ keyId, emergency: LEAKED });
      const entries = await audit();
      const { key } = await operator().revokeSigningKey({ keyId, emergency: "again" });
      expect(key).toMatchObject({ keyId, state: RETIRED, revokedBecause: LEAKED });
      expect(await audit()).toBe(entries);
    });

    it("revokes once and leaves one active key, however many operators do it at once", async () => {
      const { keyId } = await keyOf("ES256", ACTIVE);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => operator().revokeSigningKey({ keyId, emergency: LEAKED })),
      );
      expect(new Set(answers.map(({ key }) => key?.state))).toEqual(new Set([RETIRED]));
      expect(answers.filter(({ successor }) => successor !== null)).toHaveLength(1);
      expect(states(await list(), "ES256").sort()).toEqual(["ACTIVE", "NEXT", "RETIRED"]);
      expect((await audited(keyId)).filter(([, action]) => action === "signingKey.revoke")).toHaveLength(1);
    });

    it.each([
      ["an unknown key", { keyId: "es256-unknown", emergency: LEAKED }, "NOT_FOUND"],
      [
        "one, though a reason may have 200 characters",
        { keyId: "es256-unknown", emergency: "🦀".repeat(200) },
        "NOT_FOUND",
      ],
      ["an empty reason", { keyId: "es256-unknown", emergency: " " }, "INVALID_ARGUMENT"],
      ["a reason of 201 characters", { keyId: "es256-unknown", emergency: "x".repeat(201) }, "INVALID_ARGUMENT"],
      ["a reason of two lines", { keyId: "es256-unknown", emergency: "a\nb" }, "INVALID_ARGUMENT"],
    ])("refuses %s", async (_what, request, code) => {
      await expect(operator().revokeSigningKey(request)).rejects.toMatchObject({ code });
    });
  });
});
