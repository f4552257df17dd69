import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { gatehouse as gatehouseCommand } from "../cli/command-line.ts";
import { obtainCode, redeem } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { testFlags } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { describeWith } from "../support/optional-part.ts";
import { openProcesses, type ProcessGatehouse, startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present, REDIRECT_URI, type World } from "../support/world.ts";

/** A sample of the metrics page, without labels. */
async function metric({ managementUrl }: ProcessGatehouse, name: string): Promise<number> {
  const page = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1]);
}

const readiness = async ({
  managementUrl,
}: Pick<ProcessGatehouse, "managementUrl">): Promise<{ status: number; store: unknown }> => {
  const answer = await fetch(`${managementUrl}/health/ready`);
  return { status: answer.status, store: ((await answer.json()) as { checks: { store: unknown } }).checks.store };
};

/** Of an application that is known; without a session it stores an interaction, which is one write transaction. */
const authorizePath = ({ application }: World): string =>
  `/auth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: application.id,
    redirect_uri: REDIRECT_URI,
    scope: "openid",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })}`;

const createTenant = (gatehouse: ProcessGatehouse, { instanceId }: World, name: string) =>
  gatehouse.platform.createTenant({ requestId: "", instanceId, name, address: null });

const workersPath = ({ instanceIntegrationId, tenantId }: World): string =>
  `/v1/instance-integrations/${instanceIntegrationId}/clients/${tenantId}/workers`;

const counts = async (gatehouse: ProcessGatehouse) => ({
  commits: await metric(gatehouse, "gatehouse_store_commits_total"),
  transactions: await metric(gatehouse, "gatehouse_store_transactions_total"),
});

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "localhost", () => resolve(socket)).once("error", reject);
  });

/** Asks over an open connection; the status of the answer, which has no body. */
const statusOf = (socket: Socket, path: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1").split(" ")[1])).once("error", reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });

/** Takes space away from a running product, and gives it back. */
interface Scarcity {
  /** What health then says. */
  readonly trouble: string;
  /** What a refused call of the platform or an operator has. */
  readonly reason: string;
  take(gatehouse: ProcessGatehouse): void;
  giveBack(gatehouse: ProcessGatehouse): void;
}

/** Files may not grow: as a disk that fails under a write. */
const limitedFiles: Scarcity = {
  trouble: "disk: reading, writing or flushing fails",
  reason: "store_disk",
  take: (gatehouse) => limitFiles(gatehouse, "20000"),
  giveBack: (gatehouse) => limitFiles(gatehouse, "unlimited"),
};

const limitFiles = ({ programs }: ProcessGatehouse, bytes: string): void =>
  void execFileSync("prlimit", [`--pid=${programs.all?.child.pid}`, `--fsize=${bytes}:unlimited`]);

/** The disk of the data directory, a small one of its own, is full. */
const fullDisk: Scarcity = {
  trouble: "full: its disk has no space left",
  reason: "store_full",
  take({ dataDirectory }) {
    // Until nothing fits any more; `dd` then fails, as it is meant to.
    spawnSync("dd", ["if=/dev/zero", `of=${join(dataDirectory, "ballast")}`, "bs=4096"]);
  },
  giveBack: ({ dataDirectory }) => rmSync(join(dataDirectory, "ballast")),
};

function outOfSpace(scarcity: Scarcity, start: (closeLater: CloseLater) => Promise<ProcessGatehouse>): void {
  withScope((closeLater) => {
    it("answers writes with 503 and Retry-After, reads as usual, reports it, and recovers when there is space", async () => {
      const gatehouse = await start(closeLater);
      const world = await makeWorld(gatehouse);
      const key = { headers: { "x-api-key": world.apiKey } };
      const acknowledged = [present((await createTenant(gatehouse, world, "before")).tenant).id];
      await call(gatehouse.url, workersPath(world), key);

      const code = await obtainCode(gatehouse.url, world);
      scarcity.take(gatehouse);
      await expect(writeUntilRefused(gatehouse, world, acknowledged)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: scarcity.reason,
        retryAfterSeconds: 2,
      });
      const refused = await redeem(gatehouse.url, world, code);
      expect([refused.status, refused.headers.get("retry-after"), refused.json()]).toEqual([
        503,
        "2",
        expect.objectContaining({ error: "temporarily_unavailable" }),
      ]);
      // Its application and redirect URI are proven, so the error goes to the application (R-X160).
      const authorized = await call(gatehouse.url, authorizePath(world));
      const told = new URL(authorized.headers.get("location") ?? "");
      expect([authorized.status, told.searchParams.get("error"), told.searchParams.get("state")]).toEqual([
        302,
        "temporarily_unavailable",
        "s",
      ]);
      expect((await call(gatehouse.url, workersPath(world), key)).status).toBe(200);
      expect(await readiness(gatehouse)).toEqual({ status: 503, store: scarcity.trouble });
      expect(await metric(gatehouse, "gatehouse_store_takes_writes")).toBe(0);
      // What takes the space is asked for when there is none (R-X250).
      const status = await gatehouseCommand(["store", "status", "--json", "--data-directory", gatehouse.dataDirectory]);
      expect([status.exitCode, status.stderr]).toEqual([0, ""]);
      expect(JSON.parse(status.stdout).tables).toContainEqual(expect.objectContaining({ name: "workforce_tenants" }));

      scarcity.giveBack(gatehouse);
      const ready = await eventually(
        () => readiness(gatehouse),
        ({ status }) => status === 200,
      );
      expect(ready).toEqual({ status: 200, store: "ok" });
      acknowledged.push(present((await createTenant(gatehouse, world, "after")).tenant).id);
      expect((await redeem(gatehouse.url, world, code)).status).toBe(200);
      expect(await gatehouse.programs.all?.end()).toBe(0);
      const file = new BetterSqlite3(join(gatehouse.dataDirectory, "gatehouse.sqlite"));
      closeLater(async () => void file.close());
      const stored = file.prepare("select id from workforce_tenants").pluck().all();
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
    });
  });
}

type CloseLater = Parameters<Parameters<typeof withScope>[0]>[0];

/** Large enough that the log has to grow; notes what was acknowledged. */
async function writeUntilRefused(gatehouse: ProcessGatehouse, world: World, acknowledged: string[]): Promise<void> {
  for (let count = 0; count < 500; count++)
    acknowledged.push(present((await createTenant(gatehouse, world, "x".repeat(200))).tenant).id);
}

describeWith(
  { name: "prlimit", missing: spawnSync("prlimit").error && "util-linux is not installed" },
  "a disk that fails under a write (R-X175)",
  () => outOfSpace(limitedFiles, (closeLater) => openProcesses(closeLater, { before: "trap '' XFSZ" })),
);

/** A small disk of its own, which only root may mount; other machines have the limit above. */
const disk = mkdtempSync(join(tmpdir(), "gh-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", disk]).status === 0;
if (!mounted) process.stderr.write("SKIPPED a disk that is really full: mounting a tmpfs needs root.\n");

afterAll(() => {
  if (mounted) execFileSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true });
});

(mounted ? describe : describe.skip)("a disk that is full (R-X175)", () => {
  outOfSpace(fullDisk, (closeLater) => openProcesses(closeLater, { dataDirectory: disk }));

  it("refuses to start in a directory that it cannot write, in one line that says what to do", async () => {
    execFileSync("mount", ["-o", "remount,ro", disk]);
    const flags = testFlags(await freePort(), await freePort(), disk);
    const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const program = startProgram(["serve", ...words], Number(flags["management-port"]));
    await once(program.child, "close");
    expect([program.child.exitCode, program.output().trim()]).toEqual([
      1,
      expect.stringMatching(/^gatehouse: The lock .*cannot be made \(EROFS\)\. Make the directory writable or .*$/),
    ]);
  });
});

const compiler = spawnSync("cc", ["--version"]).error && "cc is not installed";

/** A library that a program loads before its own, in a folder that goes with the scope. */
function flushShim(closeLater: CloseLater): { readonly folder: string; readonly library: string } {
  const folder = mkdtempSync(join(tmpdir(), "gh-flush-"));
  closeLater(async () => rmSync(folder, { recursive: true }));
  const library = join(folder, "flush-shim.so");
  const source = join(import.meta.dirname, "..", "support", "flush-shim.c");
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source]);
  return { folder, library };
}

describeWith({ name: "a C compiler", missing: compiler }, "the embedded store of a running product", () => {
  withScope((closeLater) => {
    it("commits 64 requests that arrive at once with a few flushes", async () => {
      const { library } = flushShim(closeLater);
      // So slow that whatever arrives at once is there when a flush ends, however busy the machine is.
      const environment = { LD_PRELOAD: library, FLUSH_DELAY_MS: "100" };
      const gatehouse = await openProcesses(closeLater, { environment });
      const world = await makeWorld(gatehouse);
      const port = Number(new URL(gatehouse.url).port);
      const sockets = await Promise.all(Array.from({ length: 64 }, () => opened(port)));
      closeLater(async () => sockets.forEach((socket) => void socket.destroy()));
      // Compiled and warm, as in use: a group is committed when it has been open for 50 ms.
      const ask = () => Promise.all(sockets.map((socket) => statusOf(socket, authorizePath(world))));
      for (let count = 0; count < 4; count++) await ask();
      const before = await counts(gatehouse);
      // Stopped, so that all of them are there when it goes on.
      gatehouse.programs.all?.child.kill("SIGSTOP");
      const answers = ask();
      const unsent = async () => sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
      expect(await eventually(unsent, (bytes) => bytes === 0)).toBe(0);
      gatehouse.programs.all?.child.kill("SIGCONT");
      expect(new Set(await answers)).toEqual(new Set(["302"]));
      const after = await counts(gatehouse);
      expect(after.transactions - before.transactions).toBeGreaterThanOrEqual(64);
      expect(after.commits - before.commits).toBeLessThanOrEqual(16);
    }, 120_000);
  });
});

describeWith({ name: "a C compiler", missing: compiler }, "a disk that does not flush (R-X176)", () => {
  withScope((closeLater) => {
    it("ends the program with 74, and a new start has everything that was acknowledged", async () => {
      const { folder, library } = flushShim(closeLater);
      const trigger = join(folder, "fails");
      const gatehouse = await openProcesses(closeLater, {
        environment: { LD_PRELOAD: library, FAILING_FLUSH: trigger },
        flags: { "log-level": "error" },
      });
      const world = await makeWorld(gatehouse);
      const acknowledged = [present((await createTenant(gatehouse, world, "before")).tenant).id];
      const { all } = gatehouse.programs;
      const exited = once(present(all).child, "close");

      writeFileSync(trigger, "");
      const lost = await Promise.allSettled(["a", "b", "c"].map((name) => createTenant(gatehouse, world, name)));
      expect(lost.map((one) => one.status === "rejected" && one.reason.code)).toEqual(Array(3).fill("UNAVAILABLE"));
      expect(await exited).toEqual([74, null]);
      const lines = present(all)
        .output()
        .split("\n")
        .filter((line) => line.includes("The disk did not flush"));
      expect(lines.length).toBe(1);

      rmSync(trigger);
      await gatehouse.restart("all");
      const file = new BetterSqlite3(join(gatehouse.dataDirectory, "gatehouse.sqlite"), { readonly: true });
      closeLater(async () => void file.close());
      const stored = file.prepare("select id from workforce_tenants").pluck().all();
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      await createTenant(gatehouse, world, "after");
    });
  });
});

describeWith({ name: "a C compiler", missing: compiler }, "a disk whose flush hangs (R-X358)", () => {
  withScope((closeLater) => {
    it.each([
      ["all roles in one process", false],
      ["edge and services apart, so that the edge stays in use", true],
    ])(
      "keeps reads and health answering, refuses writes after a while, and takes them when it is over: %s",
      async (_, separate) => {
        const { folder, library } = flushShim(closeLater);
        const trigger = join(folder, "hangs");
        const gatehouse = await openProcesses(closeLater, {
          separate,
          environment: { LD_PRELOAD: library, HANGING_FLUSH: trigger },
        });
        closeLater(async () => rmSync(trigger, { force: true }));
        const world = await makeWorld(gatehouse);
        const key = { headers: { "x-api-key": world.apiKey } };
        const list = () => call(gatehouse.url, workersPath(world), key);
        const before = (await list()).text;
        const clients = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
        const tenants = async () => (await call(gatehouse.url, clients, key)).text;
        const tenantsBefore = await tenants();

        writeFileSync(trigger, "");
        const waiting = createTenant(gatehouse, world, "waiting").then(
          () => "acknowledged",
          () => "refused",
        );
        for (let reads = 0; reads < 20; reads++) expect(await list()).toMatchObject({ status: 200, text: before });
        expect(await tenants()).toBe(tenantsBefore);
        expect((await fetch(`${gatehouse.managementUrl}/health/live`)).status).toBe(200);
        const services = present(gatehouse.programs.services ?? gatehouse.programs.all);
        const told = await eventually(
          () => readiness(services),
          ({ store }) => String(store).startsWith("hangs"),
        );
        expect(told).toEqual({
          status: 503,
          store: "hangs: a flush of its disk has taken more than five seconds and has not ended",
        });
        await expect(createTenant(gatehouse, world, "refused")).rejects.toMatchObject({ code: "UNAVAILABLE" });
        expect((await list()).status).toBe(200);
        const edge = present(gatehouse.programs.edge ?? gatehouse.programs.all);
        expect((await fetch(`${edge.managementUrl}/health/ready`)).status).toBe(separate ? 200 : 503);

        rmSync(trigger);
        const ready = await eventually(
          () => readiness(services),
          ({ status }) => status === 200,
        );
        expect(ready).toEqual({ status: 200, store: "ok" });
        await createTenant(gatehouse, world, "after");
        // The first one is there, whatever its caller was told by its deadline.
        expect(["acknowledged", "refused"]).toContain(await waiting);
        expect(await tenants()).toMatch(/waiting.*after/);
      },
      150_000,
    );

    it("lets a stop wait for the flush: the program then ends well, and the next start has everything", async () => {
      const { folder, library } = flushShim(closeLater);
      const trigger = join(folder, "hangs");
      const gatehouse = await openProcesses(closeLater, {
        environment: { LD_PRELOAD: library, HANGING_FLUSH: trigger },
        flags: { "log-level": "info" },
      });
      closeLater(async () => rmSync(trigger, { force: true }));
      const world = await makeWorld(gatehouse);
      await createTenant(gatehouse, world, "before");
      const program = present(gatehouse.programs.all);
      writeFileSync(trigger, "");
      const waiting = createTenant(gatehouse, world, "waiting").catch(() => undefined);
      const ended = program.end();
      await eventually(
        async () => program.output(),
        (output) => output.includes("Stopping."),
      );
      await setTimeout(10_000);
      expect(program.child.exitCode).toBeNull();
      rmSync(trigger);
      expect(await ended).toBe(0);
      await waiting;
      await gatehouse.restart("all");
      const clients = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
      const { text } = await call(gatehouse.url, clients, { headers: { "x-api-key": world.apiKey } });
      expect(text).toMatch(/before.*waiting/);
    });
  });
});
