import { rm } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { migrations } from "../../src/roles/owners.ts";
import { authorizePath, Browser, exchange, redeem } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http.ts";
import { newStoreFolder } from "../support/memory.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { present } from "../support/world.ts";
import { ISSUER, rowCounts, STORES, type StoreNotes, unpackStore } from "./store-of-before.ts";

const SHIFTED_CLOCK = join(import.meta.dirname, "..", "support", "shifted-clock.mjs");
const TWO_MINUTES_MS = 120_000;
const SCOPE = "openid profile email offline_access";

describe.each(STORES)("a store that an earlier program made (R-X245): $name", ({ name, empty, received }) => {
  withScope((closeLater) => {
    let notes: StoreNotes;
    let tables: ReturnType<typeof rowCounts>;
    let gatehouse: ProcessGatehouse;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      const dataDirectory = join(await newStoreFolder("gh-upgrade-"), "data");
      closeLater(() => rm(dataDirectory, { recursive: true, force: true }));
      notes = await unpackStore(name, dataDirectory);
      const shiftMs = Date.parse(notes.madeAt) + TWO_MINUTES_MS - Date.now();
      const clock = { now: () => new Date(Date.now() + shiftMs) };
      receiver = await startWebhookReceiver({ clock });
      closeLater(() => receiver.stop());
      const path = join(dataDirectory, "gatehouse.sqlite");
      tables = rowCounts(path);
      const stored = new BetterSqlite3(path);
      // The previous endpoint is gone with the machine that made the store.
      stored
        .prepare(
          "update webhooks_subscriptions set endpoint_url = ? where label in ('failing', 'exhausted', 'marigold')",
        )
        .run(receiver.url);
      stored.close();
      gatehouse = await openProcesses(closeLater, {
        dataDirectory,
        nodeFlags: ["--import", SHIFTED_CLOCK],
        environment: { TEST_CLOCK_MS: String(shiftMs) },
        flags: { issuer: ISSUER },
      });
    });

    const refresh = (refresh_token: string) =>
      exchange(gatehouse.url, notes.world, { grant_type: "refresh_token", refresh_token });
    const userinfo = (token: string) =>
      call(gatehouse.url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } });
    const browserWith = (cookies: StoreNotes["session"]["cookies"]) => {
      const browser = new Browser(gatehouse.url);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return browser;
    };

    it("had a row of every kind", () => {
      const found = tables.filter(({ count }) => count === 0).map((table) => table.name);
      expect(found.toSorted()).toEqual(empty.toSorted());
      expect(tables.length).toBeGreaterThan(40);
    });

    it("has every migration of this program once it is started", () => {
      const store = new BetterSqlite3(join(gatehouse.dataDirectory, "gatehouse.sqlite"), { readonly: true });
      const applied = store.prepare("select owner, number from migration_ledger order by owner, number").all();
      store.close();
      const known = migrations.flatMap(({ owner, migrations: all }) => all.map(({ number }) => ({ owner, number })));
      expect(applied).toEqual(
        known.toSorted((one, other) => one.owner.localeCompare(other.owner) || one.number - other.number),
      );
    });

    it("still accepts what it had issued: session, code, tokens, cookie of a sign-in under way, password link", async () => {
      const { left } = await browserWith(notes.session.cookies).follow(
        authorizePath(notes.world, { scope: SCOPE, prompt: "none" }),
      );
      const code = present(left?.searchParams.get("code"));
      const [fromSession, fromCode] = [
        await redeem(gatehouse.url, notes.world, code),
        await redeem(gatehouse.url, notes.world, notes.unspentCode),
      ];
      const identity = await userinfo(notes.accessToken);
      const refreshed = await refresh(notes.refreshToken);
      const again = await refresh(refreshed.json<{ refresh_token: string }>().refresh_token);
      const login = await browserWith(notes.interaction.cookies).open(notes.interaction.path);
      const question = await browserWith(notes.logout.cookies).open(notes.logout.path);
      const link = await browserWith([]).follow(notes.passwordLink);
      expect([fromSession, fromCode, identity, refreshed, again].map(({ status }) => status)).toEqual([
        200, 200, 200, 200, 200,
      ]);
      expect(identity.json()).toMatchObject({ sub: notes.personId });
      expect([login.status, question.status, link.answer.status]).toEqual([200, 200, 200]);
      expect([login.text, question.text, link.answer.text].map((text) => text.includes("<form "))).toEqual([
        true,
        true,
        true,
      ]);
    });

    it("still refuses what was used or revoked: code, refresh token, access token", async () => {
      const spent = await redeem(gatehouse.url, notes.world, notes.spentCode);
      const rotated = await refresh(notes.rotatedRefreshToken);
      const revoked = await userinfo(notes.revokedAccessToken);
      expect([spent, rotated].map((answer) => [answer.status, answer.json<{ error: string }>().error])).toEqual([
        [400, "invalid_grant"],
        [400, "invalid_grant"],
      ]);
      expect(revoked.status).toBe(401);
    });

    it("signs with the keys that it had", async () => {
      const { keys } = (await call(gatehouse.url, "/.well-known/jwks.json")).json<{ keys: { kid: string }[] }>();
      expect(keys.map(({ kid }) => kid)).toEqual(expect.arrayContaining([...notes.keyIds]));
    });

    it("answers integrators by the keys that they have", async () => {
      const path = `/v1/instance-integrations/${notes.world.instanceIntegrationId}/clients`;
      const headers = { "x-api-key": notes.world.apiKey };
      const clients = await call(gatehouse.url, path, { headers });
      const workers = await call(gatehouse.url, `${path}/${notes.world.tenantId}/workers`, { headers });
      expect(clients.json<{ id: string }[]>().map(({ id }) => id)).toContain(notes.world.tenantId);
      expect(workers.text).toContain(notes.workerEmail);
    });

    it("goes on with deliveries that waited, and makes new ones for the subscriptions", async () => {
      const { tenant } = await gatehouse.platform.createTenant({
        requestId: "",
        instanceId: notes.world.instanceId,
        name: "Third Bakery",
        address: null,
      });
      const names = async () => receiver.received.map(({ event }) => event.data.name);
      const heard = await eventually(names, (all) => all.length === received.length);
      expect(heard.toSorted()).toEqual(received);
      expect(present(tenant).name).toBe("Third Bakery");
    });

    it("lists earlier and present deliveries", async () => {
      const list = () => gatehouse.webhooks.listDeliveries({ states: [], limit: 50 });
      const { deliveries } = await eventually(list, (answer) =>
        answer.deliveries.every(({ state }) => state !== "DELIVERY_STATE_PENDING"),
      );
      const states = Object.groupBy(deliveries, ({ state }) => state);
      expect(present(states.DELIVERY_STATE_DELIVERED).length).toBeGreaterThanOrEqual(4);
      expect(present(states.DELIVERY_STATE_SKIPPED).length).toBeGreaterThanOrEqual(1);
    });
  });
});
