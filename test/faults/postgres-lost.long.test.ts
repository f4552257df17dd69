import { once } from "node:events";
import pg from "pg";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, openFaultProxy } from "../support/fault-proxy.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { describeWith } from "../support/optional-part.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres-server.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present, type World } from "../support/world.ts";

const DATABASE = "postgres";
const WRITERS = 8;

/** Eight writers at once until `stop`; each remembers what was acknowledged and what was not. */
function startWriters({ platform }: ProcessGatehouse, { instanceId }: World) {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let stopped = false;
  const writer = async (number: number) => {
    for (let count = 0; !stopped; count++) {
      const name = `Writer ${number} · ${count}`;
      await platform.createTenant({ requestId: "", instanceId, name, address: null }, { deadlineMs: 30_000 }).then(
        ({ tenant }) => acknowledged.push(present(tenant).id),
        async (error: { code: string }) => {
          failures.push(error.code);
          await new Promise((resolve) => setTimeout(resolve, 20));
        },
      );
    }
  };
  const all = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  return {
    acknowledged,
    failures,
    async stop() {
      stopped = true;
      await all;
    },
  };
}

describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "a PostgreSQL that goes away (F3, F5, R-X180)", () =>
  withScope((closeLater) => {
    let server: PostgresServer;
    let proxy: FaultProxy;
    let gatehouse: ProcessGatehouse;
    let world: World;

    const flags = () => ({
      "store-url": `postgresql://gatehouse@127.0.0.1:${proxy.port}/${DATABASE}`,
      "master-keys": TEST_MASTER_KEY,
      "log-level": "warn",
      "store-connect-timeout-ms": "3000",
      "store-statement-timeout-ms": "2500",
      "store-transaction-timeout-ms": "5000",
    });

    beforeAll(async () => {
      server = await startPostgres();
      closeLater(() => server.stop());
      proxy = await openFaultProxy(closeLater, { target: { path: `${server.directory}/.s.PGSQL.5432` } });
      gatehouse = await openProcesses(closeLater, { flags: flags() });
      world = await makeWorld(gatehouse);
    });

    const inDatabase = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
      const client = new pg.Client({ host: server.directory, user: "gatehouse", database: DATABASE });
      client.on("error", () => undefined);
      await client.connect();
      try {
        return (await client.query(sql)).rows as Record<string, unknown>[];
      } finally {
        await client.end();
      }
    };

    /** Writes during the fault, then asserts that the process lives, works again, and has kept what it acknowledged. */
    async function survives(fault: () => Promise<void>): Promise<void> {
      const { child } = present(gatehouse.programs.all);
      const writers = startWriters(gatehouse, world);
      closeLater(() => writers.stop());
      await eventually(
        async () => writers.acknowledged.length,
        (count) => count > 50,
      );
      await fault();
      const then = writers.acknowledged.length;
      const again = await eventually(
        async () => writers.acknowledged.length,
        (count) => count > then + 50,
      );
      await writers.stop();
      const stored = new Set((await inDatabase("select id from workforce_tenants")).map(({ id }) => id));
      expect({
        exitCode: child.exitCode,
        isBack: again > then + 50,
        lost: writers.acknowledged.filter((id) => !stored.has(id)),
        failures: [...new Set(writers.failures)].filter((code) => code !== "UNAVAILABLE"),
      }).toEqual({ exitCode: null, isBack: true, lost: [], failures: [] });
      const ready = await eventually(
        () => fetch(`${gatehouse.managementUrl}/health/ready`),
        ({ status }) => status === 200,
      );
      expect(ready.status).toBe(200);
    }

    it("survives pg_terminate_backend while eight writers work, three times", async () => {
      await survives(async () => {
        for (let round = 0; round < 3; round++) {
          await inDatabase(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gatehouse%'",
          );
        }
      });
    });

    it("survives connections that are reset, and a host that refuses new ones for a while", async () => {
      await survives(async () => {
        proxy.refuse();
        proxy.cut();
        const lost = await eventually(
          () => fetch(`${gatehouse.managementUrl}/health/ready`),
          ({ status }) => status === 503,
        );
        proxy.pass();
        expect(lost.status).toBe(503);
      });
    });

    it("takes an edge of its own out of use meanwhile, and goes on saying what is measured (R-X35)", async () => {
      const { programs } = await openProcesses(closeLater, { separate: true, flags: flags() });
      const { edge, services } = programs;
      const readiness = async () => (await fetch(`${edge?.managementUrl}/health/ready`)).status;
      const metrics = async () => {
        const answer = await fetch(`${services?.managementUrl}/metrics`);
        return { status: answer.status, text: await answer.text() };
      };
      proxy.refuse();
      proxy.cut();
      expect(await eventually(readiness, (status) => status === 503)).toBe(503);
      expect(await metrics()).toEqual({
        status: 200,
        text: expect.stringMatching(/^gatehouse_store_takes_writes 0$/m),
      });
      proxy.pass();
      expect(await eventually(readiness, (status) => status === 200)).toBe(200);
    });

    it("survives connections that go silent (all data swallowed)", async () => {
      await survives(async () => proxy.silence({ of: "existing" }));
    });

    it.each(["fast", "immediate"] as const)("survives a %s restart of the server", async (mode) => {
      await survives(() => server.restart(mode));
    });

    it("ends cleanly on SIGTERM while the database is silent, with requests under way", async () => {
      const program = present(gatehouse.programs.all);
      const writers = startWriters(gatehouse, world);
      closeLater(() => writers.stop());
      await eventually(
        async () => writers.acknowledged.length,
        (count) => count > 10,
      );
      proxy.silence();
      await expect(program.end("SIGTERM")).resolves.toBe(0);
      expect(program.output()).not.toContain("The grace time passed");
    });

    it("ends when the store was restored while it was away (R-X247)", async () => {
      proxy.pass();
      const { programs, managementUrl } = await openProcesses(closeLater, { flags: flags() });
      const { child, output } = present(programs.all);
      const exited = once(child, "close");
      proxy.refuse();
      proxy.cut();
      await eventually(
        () => fetch(`${managementUrl}/health/ready`),
        ({ status }) => status === 503,
      );
      await inDatabase("update store_identities set epoch = epoch + 1");
      proxy.pass();
      expect(await exited).toEqual([75, null]);
      expect(output().split("The store has been restored")).toHaveLength(2);
    });
  }),
);
