import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { AuditService } from "../../generated/proto/gatehouse/audit/v1/audit.ts";
import { InspectionService } from "../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { eventually } from "../support/eventually.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import type { Answer } from "../support/http.ts";
import { openProcesses } from "../support/processes.ts";
import { countFound, shapesOf } from "../support/secret-shapes.ts";
import { dump } from "../support/store-dump.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { present } from "../support/world.ts";
import { CanaryNotes } from "./canary-notes.ts";
import { accountAndLinks, commandsShow, operatorsDay } from "./canary-people.ts";
import { gatewayCalls, refusals } from "./canary-refusals.ts";
import { openDay, type Scene } from "./canary-scene.ts";
import { signInAndUse, usesDuring } from "./canary-sign-on.ts";

const ALL = { since: null, until: null, limit: 200 };
/** Tables without which requests fail in the middle. */
const MISSED = [
  ...["sign_on_sessions", "sign_on_families"],
  ...["sign_on_credentials", "sign_on_applications", "audit_entries"],
];

eachStore((name, open) => {
  describe("a whole day of the product, with marked secrets and log level debug (S50)", () => {
    const notes = new CanaryNotes();
    /** Where something could have been written, and what. */
    const sinks = new Map<string, Buffer>();
    const closers: (() => Promise<void>)[] = [];
    const closeLater = (closer: () => Promise<void>) => void closers.unshift(closer);
    let scene: Scene;
    let statuses: readonly number[];
    let exitCodes: readonly number[];
    const faults: Answer[] = [];
    let signedOutTo: string | undefined;

    beforeAll(async () => {
      const { gatehouse, store } = await (name === "sqlite" ? separateRoles() : oneProcess(await open()));
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      scene = await openDay(gatehouse, receiver, notes);
      const carrier = socketCarrier(join(gatehouse.dataDirectory, "sockets", "operator.sock"));
      closeLater(() => carrier.close());
      const inspection = carrier.connect(InspectionService);

      const used = await signInAndUse(scene);
      await refusals(scene, used);
      for (const table of MISSED)
        faults.push(...(await usesDuring(scene, used, (work) => (store ? withoutTable(store, table, work) : work()))));
      statuses = await gatewayCalls(scene);
      signedOutTo = await accountAndLinks(scene, used);
      for (const token of [used.access_token, used.id_token, used.refresh_token, "x"])
        await inspection.explainToken({ token });
      await operatorsDay(scene, carrier.connect(SigningKeysService));

      // Refusals are written about once a second, beside the requests.
      const explanations = await eventually(
        () => Promise.all(notes.requestIds.map((requestId) => inspection.explainRefusal({ requestId }).catch(String))),
        (answers) => answers.filter((answer) => typeof answer === "object").length > 20,
      );
      sinks.set("explanations", Buffer.from(JSON.stringify(explanations)));
      const tokens = [used.access_token, used.id_token, used.refresh_token, used.code];
      const { ran, explained } = await commandsShow(scene, tokens);
      exitCodes = ran.map(({ exitCode }) => exitCode);
      sinks.set(
        "command line",
        Buffer.from([...ran, ...explained].map(({ stdout, stderr }) => stdout + stderr).join("\n")),
      );
      sinks.set("answers", Buffer.from(notes.refusals.join("\n")));
      const { entries } = await carrier.connect(AuditService).listAuditEntries(ALL);
      sinks.set("audit entries", Buffer.from(JSON.stringify(entries)));
      const programs = Object.entries(gatehouse.programs);
      for (const [role, program] of programs)
        sinks.set(`metrics of ${role}`, Buffer.from(await (await fetch(`${program.managementUrl}/metrics`)).text()));
      if (store !== undefined) sinks.set("rows", await dump(store.store));
      // Before the end, which would empty the journal.
      readFolder("running", gatehouse.dataDirectory);
      for (const [role, program] of programs.reverse()) {
        await program.end();
        sinks.set(`output of ${role}`, Buffer.from(program.output()));
      }
      readFolder("stopped", gatehouse.dataDirectory);
    }, 120_000);

    afterAll(async () => {
      for (const closer of closers) await closer();
    });

    const QUICK = { "log-level": "debug", "webhook-attempt-delays": "50ms,50ms" };

    async function separateRoles() {
      const flags = { ...QUICK, "log-destination": "file" };
      return { gatehouse: await openProcesses(closeLater, { separate: true, flags }), store: undefined };
    }

    async function oneProcess(store: TestStore) {
      const flags = { ...QUICK, "store-url": store.location, "master-keys": TEST_MASTER_KEY };
      return { gatehouse: await openProcesses(closeLater, { flags }), store };
    }

    /** Does it while the database refuses what it needs: errors of its driver have their own words. */
    async function withoutTable({ store }: TestStore, table: string, work: () => Promise<void>) {
      const rename = (from: string, to: string) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(store.view());
      await rename(table, `${table}_elsewhere`);
      await work();
      await rename(`${table}_elsewhere`, table);
    }

    function readFolder(when: string, folder: string) {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) sinks.set(`${entry.name}, ${when}`, readFileSync(join(entry.parentPath, entry.name)));
    }

    const written = () => [...sinks].filter(([sink]) => !isStore(sink) && sink !== "answers");
    const isStore = (sink: string) => /^(rows|gatehouse\.(db|sqlite))/.test(sink);
    const told = (pattern: RegExp) =>
      Buffer.concat([...sinks].filter(([sink]) => pattern.test(sink)).map(([, all]) => all));
    const leaks = (marked: ReadonlyMap<string, ReadonlySet<string>>, where: readonly (readonly [string, Buffer])[]) =>
      [...marked].flatMap(([kind, values]) =>
        [...values].flatMap((value) => {
          const shapes = shapesOf(value);
          return where.filter(([, bytes]) => countFound(bytes, shapes) > 0).map(([sink]) => `${kind} in ${sink}`);
        }),
      );

    it("included every kind of event", () => {
      expect(statuses).toEqual([200, 401, 401, 401]);
      expect(signedOutTo).toMatch(/^http:\/\/localhost:9\/signed-out\?state=/);
      expect(exitCodes).toEqual(exitCodes.map(() => 0));
      // The embedded store belongs to its process; no other program can drop a table there.
      expect(faults.filter(({ status }) => status >= 500).length > MISSED.length).toBe(name === "postgres");
      expect(scene.receiver.received.length).toBeGreaterThanOrEqual(3);
      const kinds = [...notes.secrets].filter(([, values]) => values.size > 0).map(([kind]) => kind);
      expect(kinds.toSorted()).toEqual(
        [
          ...["API key", "ID token", "access token", "application secret", "code", "code verifier", "form token"],
          ...["cookie: account", "cookie: device", "cookie: interaction", "cookie: session", "password"],
          ...["password link", "refresh token", "webhook secret", "wrong API key", "wrong secret"],
        ].toSorted(),
      );
    });

    it("searched places that have content: log, store, audit log, refusals, metrics", () => {
      const log = told(/^(gatehouse\.log|output)/).toString();
      expect(notes.requestIds.filter((id) => log.includes(id)).length).toBeGreaterThan(20);
      expect(told(/^answers/).toString()).toContain("invalid_client");
      expect(told(/^explanations/).toString()).toContain("application.secret_wrong");
      expect(told(/^audit/).toString()).toContain("signingKey.revoke");
      expect(told(/^command line/).toString()).toContain("application.secret_wrong");
      expect(told(/^metrics/).toString()).toContain("gatehouse_");
      const store = Buffer.concat([...sinks].filter(([sink]) => isStore(sink)).map(([, bytes]) => bytes));
      const digest = createHash("sha256").update(scene.world.application.secret).digest();
      expect([store.includes(digest), store.includes(scene.world.email)]).toEqual([true, true]);
    });

    it("left no secret anywhere, in no encoding: plain, base64, base64url, hex, percent-encoded", () => {
      expect(leaks(notes.secrets, [...sinks])).toEqual([]);
    });

    it("left no data of people and applications in logs, metrics, refusals and audit entries (S7)", () => {
      expect(leaks(notes.unspoken, written())).toEqual([]);
    });

    it("left the master key in its own file only", () => {
      const own = sinks.get("master.key, stopped")?.toString().trim() ?? TEST_MASTER_KEY;
      const others = [...sinks].filter(([sink]) => !sink.startsWith("master.key"));
      expect(present(own)).toHaveLength(44);
      expect(leaks(new Map([["master key", new Set([own])]]), others)).toEqual([]);
    });
  });
});
