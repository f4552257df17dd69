import { sql } from "kysely";
import { runtimeMigrations } from "../../src/runtime/changes/migrations.ts";
import { type MigrationSet, migrate } from "../../src/runtime/database/migrations.ts";
import {
  codeGrant,
  inBody,
  type Parameters,
  refreshGrant,
  type Tokens,
} from "../sign-on/conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on/sign-on-fixture.ts";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { makeWorld, type World } from "../support/world.ts";
import { type Furniture, furnish, type Gateway, startGateway } from "../workforce/gateway-fixture.ts";
import { workforceOver } from "../workforce/workforce-fixture.ts";

const BROWSERS = 4;
const READERS = 4;
const PLATFORMS = 2;
/** Of each, before the upgrade begins and after it has ended. */
const ROUNDS = 5;

/**
 * The old program of an upgrade is this one, as it is: it goes on serving while a later program, which starts beside it,
 * takes its steps.
 */
onPostgres((open, closeLater) => {
  let old: TestStore;
  let signOn: SignOn;
  let gateway: Gateway;
  let world: World;
  let have: Furniture;
  let cookie: string;

  beforeAll(async () => {
    old = await open(signOnSets);
    signOn = await openSignOn(old, closeLater);
    world = await makeWorld(signOn);
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    cookie = browser.cookie;
    const workforce = workforceOver(await old.again());
    gateway = await startGateway(workforce.registrations);
    closeLater(() => gateway.stop());
    have = await furnish(workforce);
  });

  /** What later versions do to tables that are there (expand): each gets a column and an index, and there is a new one. */
  async function nextVersion(): Promise<MigrationSet> {
    const all = await old.store.view().introspection.getTables();
    const tables = all.map(({ name }) => name).filter((name) => name !== "migration_ledger");
    expect(tables.length).toBeGreaterThan(30);
    return {
      owner: "next",
      migrations: [
        {
          number: 1,
          name: "a new table",
          statements: ({ long, strict }) => [`create table next_things (number ${long} primary key) ${strict}`],
        },
        ...tables.map((table, index) => ({
          number: index + 2,
          name: `more of ${table}`,
          statements: ({ integer }: { readonly integer: string }) => [
            `alter table ${table} add column of_next ${integer} not null default 0`,
            `create index ${table}_of_next on ${table} (of_next)`,
          ],
        })),
      ],
    };
  }

  it("a migration that waits for a long read lets requests through, and goes on after it (R-X334)", async () => {
    const table = "workforce_instances";
    const { db, close } = await old.store.snapshot<Record<typeof table, { readonly id: string }>>();
    await db.selectFrom(table).select("id").execute();
    const waiting: MigrationSet = {
      owner: "waiting",
      migrations: [
        {
          number: 1,
          name: "one",
          statements: ({ integer }) => [`alter table ${table} add column of_waiting ${integer}`],
        },
      ],
    };
    const later = await old.again();
    let isDone = false;
    const migrated = migrate(later.store, [runtimeMigrations, ...signOnSets, waiting], new Date(0)).finally(() => {
      isDone = true;
    });
    const path = `/v1/instance-integrations/${have.connectionId}/clients`;
    const statuses = new Set<number>();
    for (let reads = 0; reads < 5; reads++) {
      await eventually(blocked, (count) => count > 0);
      statuses.add((await gateway.get(path, have.secret)).status);
    }
    expect([...statuses, isDone]).toEqual([200, false]);
    await close();
    expect(await migrated).toBe(1);
    await sql`delete from migration_ledger where owner = 'waiting'`.execute(old.store.view());
  }, 120_000);

  /** How many statements wait for a table now. */
  const blocked = async () =>
    Number(
      (
        await sql<{ count: string }>`select count(*) as count from pg_locks
          where not granted and locktype = 'relation'
            and database = (select oid from pg_database where datname = current_database())`.execute(old.store.view())
      ).rows[0]?.count,
    );

  it("a program goes on without a failed request while a later one migrates its store (R-X334)", async () => {
    const next = await nextVersion();
    const failures: unknown[] = [];
    const done: Record<string, number> = {};
    let upgraded = false;

    /** Repeats a round until the upgrade has ended, and some rounds more. */
    const repeating = async (what: string, round: () => Promise<void>): Promise<void> => {
      for (let left = ROUNDS; left > 0; left -= upgraded ? 1 : 0) {
        await round().catch((error: unknown) => void failures.push({ what, error: String(error) }));
        done[what] = (done[what] ?? 0) + 1;
      }
    };
    const expected = async (status: number, answer: ReturnType<typeof call>) => {
      const given = await answer;
      if (given.status !== status) throw new Error(`${given.status}: ${given.text.slice(0, 300)}`);
      return given;
    };
    const token = async (form: Parameters) =>
      (await expected(200, call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } }))).json<Tokens>();
    const person = async () => {
      const sent = await expected(302, call(signOn.url, authorizePath(world), { headers: { cookie } }));
      const first = await token(
        codeGrant(new URL(sent.headers.get("location") ?? "").searchParams.get("code") ?? "none was given"),
      );
      const second = await token(refreshGrant(first.refresh_token));
      const headers = { authorization: `Bearer ${second.access_token}` };
      await expected(200, call(signOn.url, "/auth/userinfo", { headers }));
    };
    const below = `/v1/instance-integrations/${have.connectionId}/clients/${have.tenant.id}`;
    const reader = async () => {
      for (const path of ["", "/workers", "/users", "/organization-structure"])
        await expected(200, gateway.get(below + path, have.secret));
    };
    const platform = async () => {
      const request = { requestId: "", instanceId: world.instanceId, name: "Quay Bakery", address: null };
      const { tenant } = await signOn.platform.createTenant(request);
      await signOn.platform.updateTenant({
        ...request,
        tenantId: tenant?.id ?? "",
        name: "Quay Bakery Two",
        updateMask: ["name"],
      });
    };
    const upgrade = async () => {
      for (const what of ["person", "reader", "platform"])
        while ((done[what] ?? 0) < ROUNDS) await new Promise((resolve) => setImmediate(resolve));
      const later = await old.again();
      const steps = await migrate(later.store, [runtimeMigrations, ...signOnSets, next], new Date(0)).finally(() => {
        upgraded = true;
      });
      expect(steps).toBe(next.migrations.length);
    };

    await Promise.all([
      ...Array.from({ length: BROWSERS }, () => repeating("person", person)),
      ...Array.from({ length: READERS }, () => repeating("reader", reader)),
      ...Array.from({ length: PLATFORMS }, () => repeating("platform", platform)),
      upgrade(),
    ]);

    expect(failures).toEqual([]);
    expect(done.person).toBeGreaterThanOrEqual(BROWSERS * ROUNDS + ROUNDS);
  }, 120_000);
});
