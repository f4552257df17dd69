import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { EventsService } from "../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { openPostgres } from "../../src/runtime/database/postgres/postgres.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { authorizePath, Browser, exchange, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { call } from "../support/http.ts";
import { MAIN, openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { onPostgres } from "../support/stores.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, newTenant, present, type World } from "../support/world.ts";

const SCOPE = "openid profile email offline_access";

const copyTo = (target: readonly string[], dataDirectory: string) =>
  promisify(execFile)(process.execPath, [
    MAIN,
    ...["store", "copy", "--json", ...target, `--data-directory=${dataDirectory}`],
  ]).then(
    ({ stdout }) => ({ code: 0, stderr: "", answer: JSON.parse(stdout) }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr, answer: undefined }),
  );

onPostgres((open, closeLater) => {
  describe("gatehouse store copy, from one machine to PostgreSQL", () => {
    let issuer: string;
    let source: ProcessGatehouse;
    let target: ProcessGatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    let storeUrl: string;
    let issued: Awaited<ReturnType<typeof issue>>;
    let stopped: Awaited<ReturnType<typeof copyTo>>;
    let refusedStart: unknown;
    let copied: Awaited<ReturnType<typeof copyTo>>;
    let digests: readonly string[];
    let fed: readonly { readonly events: number; readonly keptFrom: string | undefined }[];

    beforeAll(async () => {
      const { location, store, wake } = await open();
      await wake.close();
      await store.close();
      storeUrl = location;
      issuer = `http://localhost:${await freePort()}`;
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      // What fails once waits for a day, so that it waits until the copy.
      const flags = { issuer, "webhook-attempt-delays": "24h,24h" };
      source = await openProcesses(closeLater, { flags });
      world = await makeWorld(source);
      receiver.answerNext({ status: 500 });
      const subscriptionId = await subscribe(source, world, receiver, { eventTypes: ["client.created"] });
      issued = await issue();
      const read = async ({ dataDirectory }: ProcessGatehouse, after: string | null) => {
        const operator = socketCarrier(join(dataDirectory, "sockets", "operator.sock"));
        const asked = { subscriptionId, after, limit: 0, waitMs: 0 };
        const { page } = await operator.connect(EventsService).readFeed(asked, { deadlineMs: 60_000 });
        await operator.close();
        return present(page);
      };
      const { next } = await read(source, null);
      await source.stop();

      const file = join(source.dataDirectory, "gatehouse.sqlite");
      const digest = () => createHash("sha256").update(readFileSync(file)).digest("hex");
      const key = { "master-keys": readFileSync(join(source.dataDirectory, "master.key"), "utf8").trim() };
      setLabel(file, "marigold\u0000");
      stopped = await copyTo(["--to", storeUrl], source.dataDirectory);
      const onTarget = { flags: { ...flags, ...key, "store-url": storeUrl } };
      refusedStart = await openProcesses(closeLater, onTarget).catch((error: Error) => error.message);
      setLabel(file, "marigold");
      const before = digest();
      // The list of processes shows no password of a file's.
      const urlFile = join(source.dataDirectory, "store-url");
      writeFileSync(urlFile, `${storeUrl}\n`, { mode: 0o600 });
      copied = await copyTo(["--store-url-file", urlFile], source.dataDirectory);
      digests = [before, digest()];
      target = await openProcesses(closeLater, onTarget);
      fed = [await read(target, next), await read(target, null)].map(({ events, keptFrom }) => ({
        events: events.length,
        keptFrom: keptFrom ?? undefined,
      }));
    }, 120_000);

    /** PostgreSQL takes no text with U+0000. */
    function setLabel(file: string, label: string): void {
      const handle = new BetterSqlite3(file);
      handle.prepare("update webhooks_subscriptions set label = ?").run(label);
      handle.close();
    }

    async function issue() {
      const browser = new Browser(source.url);
      const path = authorizePath(world, { scope: SCOPE });
      const first = await signIn(browser, path, { email: world.email });
      const tokens = (await redeem(source.url, world, present(first.searchParams.get("code")))).json<{
        refresh_token: string;
        access_token: string;
      }>();
      const code = present((await browser.follow(path)).left?.searchParams.get("code"));
      const { user } = await source.platform.inviteUser(invitation(world.tenantId, "ines@harbour.example"));
      const key = { $case: "personId", value: present(present(user).person).id } as const;
      const { link } = await source.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.INVITATION });
      await newTenant(source, world.instanceId, "Waiting Bakery");
      await receiver.next();
      const list = () => source.webhooks.listDeliveries({ states: [], limit: 10 });
      await eventually(
        list,
        ({ deliveries }) =>
          deliveries[0]?.state === "DELIVERY_STATE_PENDING" && Boolean(deliveries[0]?.attempts[0]?.finishedAt),
      );
      return { browser, tokens, code, link: `${new URL(link).pathname}${new URL(link).search}` };
    }

    it("stops at what PostgreSQL does not take, in one line, and no program starts with half a copy (R-X253)", () => {
      expect([stopped.code, stopped.stderr]).toEqual([
        1,
        expect.stringContaining("The copy stopped in webhooks_subscriptions"),
      ]);
      expect(stopped.stderr.trim().split("\n")).toHaveLength(1);
      expect(refusedStart).toEqual(expect.stringContaining("A copy into this store is not finished"));
    });

    it("goes on where it was, and compares every table by count and digest; the source is untouched (R-X253)", () => {
      expect([copied.code, copied.stderr]).toEqual([0, ""]);
      expect(copied.answer.resumed).toBeGreaterThan(20);
      const rows = new Map(
        (copied.answer.tables as { table: string; rows: number }[]).map((one) => [one.table, one.rows] as const),
      );
      expect(["workforce_tenants", "webhooks_queue", "sign_on_sessions"].map((table) => rows.get(table))).toEqual([
        2, 1, 1,
      ]);
      expect(rows.size).toBeGreaterThan(40);
      expect(digests[0]).toBe(digests[1]);
    });

    it("sessions, codes, tokens, links and keys work as before, at the same issuer (R-X253)", async () => {
      const moved = new Browser(target.url);
      for (const [name, value] of issued.browser.cookies) moved.cookies.set(name, value);
      const { left } = await moved.follow(authorizePath(world, { prompt: "none" }));
      expect(left?.searchParams.get("iss")).toBe(issuer);
      const answers = [
        await redeem(target.url, world, present(left?.searchParams.get("code"))),
        await redeem(target.url, world, issued.code),
        await exchange(target.url, world, {
          grant_type: "refresh_token",
          refresh_token: issued.tokens.refresh_token,
        }),
        await call(target.url, "/auth/userinfo", {
          headers: { authorization: `Bearer ${issued.tokens.access_token}` },
        }),
        await call(target.url, `/v1/instance-integrations/${world.instanceIntegrationId}/clients`, {
          headers: { "x-api-key": world.apiKey },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect((await new Browser(target.url).follow(issued.link)).answer.text).toContain('name="password"');
    });

    it("feeds have their events, and their cursors go on, before anything new is numbered (R-X288, R-X253)", () => {
      expect(fed).toEqual([
        { events: 0, keptFrom: undefined },
        { events: 1, keptFrom: undefined },
      ]);
    });

    it("new rows get numbers of their own, and deliveries go on with the same secret", async () => {
      await newTenant(target, world.instanceId, "Bakery of PostgreSQL");
      const delivery = await receiver.next();
      expect(delivery.event.data.name).toBe("Bakery of PostgreSQL");
      const { deliveries } = await target.webhooks.listDeliveries({ states: [], limit: 10 });
      expect(deliveries.map(({ eventType }) => eventType)).toEqual(["client.created", "client.created"]);
    });

    const databaseWith = async (...statements: readonly string[]): Promise<string> => {
      const { location, store, wake } = await open();
      await wake.close();
      const db = store.view<Record<string, object>>();
      for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: true }))
        await db.schema.dropTable(name).ifExists().cascade().execute();
      for (const statement of statements) await sql.raw(statement).execute(db);
      await store.close();
      return location;
    };

    it("takes a target that has tables of an extension, as a database of a managed server has, and leaves them (R-X253)", async () => {
      const location = await databaseWith(
        "create table activity_kinds (kind bigint generated always as identity primary key)",
        "create table activity (kind bigint references activity_kinds)",
        "alter extension plpgsql add table activity_kinds",
        "alter extension plpgsql add table activity",
      );
      const ofExtension = async () => {
        const opened = await openPostgres(location, { connections: 1 });
        const { rows } = await sql`select pg_constraint.oid, is_called from pg_constraint, activity_kinds_kind_seq
          where conrelid = 'activity'::regclass`.execute(opened.view());
        await opened.close();
        return rows;
      };
      const before = await ofExtension();
      const { code, stderr } = await copyTo(["--to", location], source.dataDirectory);
      expect([code, stderr]).toEqual([0, ""]);
      expect(await ofExtension()).toEqual(before);
    });

    it("refuses a target with tables of somebody else, and changes nothing there (R-X253)", async () => {
      const location = await databaseWith("create table workforce_tenants (letter text)");
      const { code, stderr } = await copyTo(["--to", location], source.dataDirectory);
      expect([code, JSON.parse(stderr).error.message]).toEqual([
        1,
        "The target has a table workforce_tenants, which is not Gatehouse's. Name a database that is empty. Nothing was changed.",
      ]);
      const after = await openPostgres(location, { connections: 1 });
      const { rows } = await sql`select table_name from information_schema.tables
        where table_schema = current_schema()`.execute(after.view());
      await after.close();
      expect(rows).toEqual([{ table_name: "workforce_tenants" }]);
    });

    it("refuses a target that has rows (R-X253)", async () => {
      await target.stop();
      const { code, stderr } = await copyTo(["--to", storeUrl], source.dataDirectory);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Name a database that is empty")]);
    });
  });
});
