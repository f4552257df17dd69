import { type Random, systemRandom } from "../../../src/runtime/basis/random.ts";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce, withKey, workforceOver } from "../workforce-fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN = "integration_AAAAAAAAAAAAAAAAAAAAA";

/** Bytes by which the next characters that are drawn are these; random ones follow. */
const startingWith = (characters: string): Random => ({
  bytes(length) {
    const bytes = systemRandom.bytes(length);
    [...characters].forEach((character, index) => {
      bytes[index] = DRAWN_FROM.indexOf(character);
    });
    return bytes;
  },
});
const DRAWN_FROM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

eachStore((_, open) => {
  let workforce: Workforce;
  let integrationId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    const { integration } = await workforce.operator.createIntegration({ requestId: "", name: "Payroll" });
    integrationId = there(integration).id;
  });

  const issue = async (more = {}) => {
    workforce.clock.step(1);
    const { apiKey, secret } = await workforce.operator.issueApiKey({
      integrationId,
      label: "first",
      rateLimit: null,
      scopes: [],
      ...more,
    });
    return { ...there(apiKey), secret };
  };
  const check = (secret: string, of = workforce) => of.gateway.checkCaller({}, withKey(secret));
  const ONE_REFUSAL = {
    code: "UNAUTHENTICATED",
    reason: "unauthenticated",
    message: "The API key (header x-api-key) is missing or wrong.",
    violations: [],
  };

  describe("IssueApiKey (R-G11)", () => {
    it("shows the key once: no column of the store and no later answer holds it", async () => {
      const { secret, ...apiKey } = await issue();
      const { rows } = await workforce.raw("select * from workforce_api_keys");
      const { rows: audit } = await workforce.raw("select * from audit_entries");
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      const kept = JSON.stringify([rows, audit, apiKeys]);
      expect(secret).toMatch(/^ghk_[A-Za-z0-9]{60}$/);
      expect(kept).not.toContain(secret.slice(16, 58));
      expect(apiKeys).toEqual([apiKey]);
      expect(apiKey).toMatchObject({ integrationId, label: "first", expiresAt: null, revokedAt: null });
    });

    it("makes one key for a request id; a repeat is refused and names it, and no secret is remembered (R-G18)", async () => {
      const { id, secret } = await issue({ requestId: "once" });
      expect(await refusal(issue({ requestId: "once" }))).toMatchObject({
        code: "ALREADY_EXISTS",
        reason: "api_key_issued",
        message: expect.stringContaining(id),
      });
      expect(await refusal(issue({ requestId: "once", label: "other" }))).toMatchObject({
        code: "ALREADY_EXISTS",
        reason: "request_id_reused",
      });
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      expect(apiKeys.map((key) => key.id)).toEqual([id]);
      const { rows } = await workforce.raw("select answer from change_requests where request_id = 'once'");
      const [{ answer }] = rows as [{ answer: Buffer }];
      expect(answer.includes(Buffer.from(secret.slice(16, 58)))).toBe(false);
      expect(answer.includes(Buffer.from(id))).toBe(true);
    });

    it("keeps several live at once, listed oldest first", async () => {
      const keys = [await issue(), await issue({ label: "second" })];
      for (const { secret } of keys) expect(await check(secret)).toEqual({});
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      expect(apiKeys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    });

    it("refuses unknown integrations, a missing label and an expiry that has passed", async () => {
      expect(await refusal(issue({ integrationId: UNKNOWN }))).toMatchObject({ reason: "integration_not_found" });
      expect(await refusal(workforce.operator.listApiKeys({ integrationId: UNKNOWN, after: null }))).toMatchObject({
        reason: "integration_not_found",
      });
      const wrong = { integrationId: "x", label: "", expiresAt: workforce.clock.now() };
      expect((await refusal(issue(wrong))).violations.map(({ field }) => field)).toEqual([
        "expires_at",
        "integration_id",
        "label",
      ]);
    });

    it("refuses an expiry at the present instant, and takes the next millisecond", async () => {
      // The clock goes on by one before each.
      const inMs = (ms: number) => ({ expiresAt: new Date(workforce.clock.now().getTime() + ms) });
      expect((await refusal(issue(inMs(1)))).violations.map(({ field }) => field)).toEqual(["expires_at"]);
      expect(await issue(inMs(2))).toMatchObject({ revokedAt: null });
    });

    it("refuses an expiry that RFC 3339 cannot name, and takes the last that it can", async () => {
      const last = new Date("9999-12-31T23:59:59.999Z");
      expect((await issue({ expiresAt: last })).expiresAt).toEqual(last);
      expect(await refusal(issue({ expiresAt: new Date(last.getTime() + 1) }))).toMatchObject({
        violations: [{ field: "expires_at", reason: "must lie in the future, and before the year 10000" }],
      });
    });
  });

  describe("FindApiKey (R-G11)", () => {
    const found = async (secret: string) => (await workforce.operator.findApiKey({ secret })).apiKey;

    it("finds a key by its secret, among those of other integrations, and after it is revoked", async () => {
      await issue({ label: "another" });
      const { secret, ...apiKey } = await issue();
      expect(await found(`${secret}\n`)).toEqual(apiKey);
      const { apiKey: revoked } = await workforce.operator.revokeApiKey({ apiKeyId: apiKey.id });
      expect(await found(secret)).toEqual(revoked);
    });

    it("finds none for a well-formed key of another installation, or one with the public part of a key here", async () => {
      const { secret } = await issue();
      const sameLookUp = newApiKey(startingWith(secret.slice(4, 16)));
      expect(sameLookUp.slice(0, 16)).toBe(secret.slice(0, 16));
      expect(await found(sameLookUp)).toBeNull();
      expect(await found(newApiKey(systemRandom))).toBeNull();
    });

    it("refuses what cannot be a key, and does not repeat it", async () => {
      const { secret } = await issue();
      const refused = await refusal(found(secret.slice(0, -1)));
      expect(refused.violations).toEqual([
        { field: "secret", reason: "must be a whole API key: ghk_ and 60 letters or digits" },
      ]);
      expect(JSON.stringify(refused)).not.toContain(secret.slice(4, 16));
    });
  });

  describe("ListApiKeys", () => {
    const labelsOf = async (more = {}) => {
      const { apiKeys, next } = await workforce.operator.listApiKeys({ integrationId: "", after: null, ...more });
      return { labels: apiKeys.map(({ label }) => label), next };
    };

    it("lists the keys of one integration, or of all, oldest first, a page at a time", async () => {
      const { integration } = await workforce.operator.createIntegration({ requestId: "", name: "Quay" });
      for (const label of ["a", "b"]) await issue({ label });
      await issue({ label: "c", integrationId: there(integration).id });
      await issue({ label: "d" });
      expect(await labelsOf()).toEqual({ labels: ["a", "b", "c", "d"], next: null });
      expect(await labelsOf({ integrationId })).toEqual({ labels: ["a", "b", "d"], next: null });
      const first = await labelsOf({ integrationId, limit: 2 });
      expect(first.labels).toEqual(["a", "b"]);
      expect(await labelsOf({ integrationId, limit: 2, after: first.next })).toEqual({ labels: ["d"], next: null });
      expect(await labelsOf({ limit: 4 })).toEqual({ labels: ["a", "b", "c", "d"], next: null });
    });

    it("lists what is accepted now, and not any more at an instant", async () => {
      const inDays = (days: number) => new Date(workforce.clock.now().getTime() + days * DAY_MS);
      await issue({ label: "for ever" });
      const gone = await issue({ label: "revoked", expiresAt: inDays(3) });
      await workforce.operator.revokeApiKey({ apiKeyId: gone.id });
      await issue({ label: "expired", expiresAt: inDays(1) });
      workforce.clock.step(2 * DAY_MS);
      const soon = await issue({ label: "soon", expiresAt: inDays(5) });
      await issue({ label: "later", expiresAt: inDays(40) });
      expect((await labelsOf({ expiresBefore: inDays(30) })).labels).toEqual(["soon"]);
      expect((await labelsOf({ expiresBefore: there(soon.expiresAt) })).labels).toEqual(["soon"]);
      expect((await labelsOf({ expiresBefore: new Date(there(soon.expiresAt).getTime() - 1) })).labels).toEqual([]);
      workforce.clock.step(4 * DAY_MS);
      const atItsEnd = { expiresBefore: there(soon.expiresAt) };
      expect((await labelsOf(atItsEnd)).labels).toEqual(["soon"]);
      workforce.clock.step(there(soon.expiresAt).getTime() - workforce.clock.now().getTime());
      expect((await labelsOf(atItsEnd)).labels).toEqual([]);
    });

    it("refuses a page that there is none of", async () => {
      const { violations } = await refusal(
        workforce.operator.listApiKeys({ integrationId: "x", limit: 1_001, after: null }),
      );
      expect(violations.map(({ field }) => field)).toEqual(["limit"]);
    });
  });

  describe("the limit of a key's own (R-G12)", () => {
    it.each<[string, object, object | null]>([
      ["none, so the installation's", { rateLimit: null }, null],
      ["the smallest", { rateLimit: { perSecond: 1, burst: 1 } }, { perSecond: 1, burst: 1 }],
      ["the largest", { rateLimit: { perSecond: 100_000, burst: 100_000 } }, { perSecond: 100_000, burst: 100_000 }],
      ["off, whatever the burst", { rateLimit: { perSecond: 0, burst: 7 } }, { perSecond: 0, burst: 0 }],
    ])("is kept and listed: %s", async (_case, given, expected) => {
      expect((await issue(given)).rateLimit).toEqual(expected);
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      expect(apiKeys.map(({ rateLimit }) => rateLimit)).toEqual([expected]);
    });

    it.each<[number, number, string[]]>([
      [-1, 1, ["rate_limit.per_second"]],
      [100_001, 1, ["rate_limit.per_second"]],
      [1, 0, ["rate_limit.burst"]],
      [1, 100_001, ["rate_limit.burst"]],
    ])("refuses %d a second, %d at once", async (perSecond, burst, fields) => {
      const { violations } = await refusal(issue({ rateLimit: { perSecond, burst } }));
      expect(violations.map(({ field }) => field)).toEqual(fields);
    });
  });

  describe("the proof of the caller (R-G15)", () => {
    it("answers missing, unknown, wrong, revoked and expired keys alike (R-G2)", async () => {
      const [revoked, expired, good] = [
        await issue(),
        await issue({ expiresAt: new Date(workforce.clock.now().getTime() + DAY_MS) }),
        await issue(),
      ];
      await workforce.operator.revokeApiKey({ apiKeyId: revoked.id });
      workforce.clock.step(DAY_MS);
      const { metadata } = withKey(good.secret);
      const other = await openWorkforce(open);
      const refused = [
        workforce.gateway.checkCaller({}),
        workforce.gateway.checkCaller({}, { metadata: { ...metadata, "x-api-key-digest": "0".repeat(64) } }),
        workforce.gateway.checkCaller({}, { metadata: { ...metadata, "x-api-key-lookup": "x".repeat(12) } }),
        workforce.gateway.checkCaller({}, { metadata: { ...metadata, "x-api-key-lookup": "%' or '1'='1" } }),
        workforce.gateway.checkCaller({}, { metadata: { "x-api-key": good.secret } }),
        check(good.secret, other),
        check(revoked.secret),
        check(expired.secret),
      ].map(refusal);
      expect(await Promise.all(refused)).toEqual(refused.map(() => ONE_REFUSAL));
      expect(await check(good.secret)).toEqual({});
    });

    it("accepts a key up to the last millisecond before it expires", async () => {
      const { secret } = await issue({ expiresAt: new Date(workforce.clock.now().getTime() + 1_000) });
      workforce.clock.step(998);
      expect(await check(secret)).toEqual({});
      workforce.clock.step(1);
      expect(await refusal(check(secret))).toEqual(ONE_REFUSAL);
    });

    it("is required by every method of the gateway", async () => {
      const { gateway } = workforce;
      const ids = { instanceIntegrationId: "", tenantId: "", userId: "" };
      const methods = Object.values(gateway) as ((request: object) => Promise<unknown> | AsyncIterable<unknown>)[];
      const refused = await Promise.all(methods.map((method) => refusal(method(ids))));
      expect(refused).toEqual(methods.map(() => ONE_REFUSAL));
    });
  });

  describe("RevokeApiKey (R-G11)", () => {
    it("refuses every request that starts after it returned, in every process", async () => {
      const { id, secret } = await issue();
      const processes = (await workforce.opened.racers(3)).map((one) => workforceOver(one, workforce.clock));
      for (const one of processes) expect(await check(secret, one)).toEqual({});
      await workforce.operator.revokeApiKey({ apiKeyId: id });
      const refused = await Promise.all(processes.map((one) => refusal(check(secret, one))));
      expect(refused).toEqual(processes.map(() => ONE_REFUSAL));
    });

    it("keeps the first time when it is repeated, and leaves other keys alone", async () => {
      const [first, second] = [await issue(), await issue()];
      const { apiKey } = await workforce.operator.revokeApiKey({ apiKeyId: first.id });
      workforce.clock.step(1_000);
      expect((await workforce.operator.revokeApiKey({ apiKeyId: first.id })).apiKey).toEqual(apiKey);
      expect(await check(second.secret)).toEqual({});
    });

    it("refuses an unknown key", async () => {
      const unknown = workforce.operator.revokeApiKey({ apiKeyId: "apikey_AAAAAAAAAAAAAAAAAAAAA" });
      expect(await refusal(unknown)).toMatchObject({ code: "NOT_FOUND", reason: "api_key_not_found" });
    });
  });
});
