import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { obtainCode } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { newStoreFolder } from "../support/memory.ts";
import { describeWith } from "../support/optional-part.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { openTemporal, temporalPart } from "../support/temporal-server.ts";
import { present } from "../support/world.ts";
import { openRetryKit, outcomesOf } from "../webhooks/retry-kit.ts";

interface Health {
  readonly status: number;
  readonly body: { readonly status: string; readonly checks: Readonly<Record<string, string>> };
}

const healthOf = async ({ managementUrl }: Pick<ProcessGatehouse, "managementUrl">): Promise<Health> => {
  const answer = await fetch(`${managementUrl}/health/ready`);
  return { status: answer.status, body: (await answer.json()) as Health["body"] };
};

const CANNOT = "Temporal cannot be used";
const LOGGED = { "log-level": "info" };

describe("without Temporal", () =>
  withScope((closeLater) => {
    it("Gatehouse runs where none is configured, and where its packages are missing", async () => {
      const hook = pathToFileURL(join(import.meta.dirname, "..", "support", "no-temporal.mjs")).href;
      const kit = await openRetryKit(closeLater, { nodeFlags: ["--import", hook] });
      const one = await kit.subscriber("plain");
      one.receiver.answerNext({ status: 500 });
      await one.emit();
      expect(outcomesOf(await one.settled())).toEqual(["refused", "acknowledged"]);
    });

    it("Gatehouse does not start with a configured one when its packages are missing, and names the command (R-X170)", async () => {
      const hook = pathToFileURL(join(import.meta.dirname, "..", "support", "no-temporal.mjs")).href;
      const starting = openProcesses(closeLater, {
        nodeFlags: ["--import", hook],
        flags: { "temporal-address": "127.0.0.1:1" },
      });
      await expect(starting).rejects.toThrow(
        /gatehouse: temporal-address is set, but Temporal's packages are not installed: run "make install-temporal" in \S+\.\n/,
      );
    });

    it("a start without its packages ends with 78, which no supervisor repeats (R-X170, R-X417)", async () => {
      const hook = pathToFileURL(join(import.meta.dirname, "..", "support", "no-temporal.mjs")).href;
      const folder = await newStoreFolder("gh-no-temporal-");
      closeLater(() => rm(folder, { recursive: true, force: true }));
      const ports = ["--public-port", String(await freePort()), "--management-port", String(await freePort())];
      const words = ["serve", "--development", "--data-directory", folder, ...ports];
      const main = join(import.meta.dirname, "..", "..", "src", "main.ts");
      const { status, stderr } = spawnSync(
        process.execPath,
        ["--import", hook, main, ...words, "--temporal-address", "127.0.0.1:1"],
        { encoding: "utf8" },
      );
      expect([status, stderr]).toEqual([78, expect.stringContaining("Temporal's packages are not installed")]);
    });

    it("Gatehouse is degraded, not dead, while the server is away: retries wait in the store, everything else continues", async () => {
      const address = `127.0.0.1:${await freePort()}`;
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": address } });
      const health = await healthOf(kit.gatehouse);
      expect(health).toMatchObject({ status: 200, body: { status: "degraded" } });
      expect(health.body.checks.temporal).toMatch(/not reached yet|does not answer/);
      const one = await kit.subscriber("waits");
      one.receiver.answerNext({ status: 500 });
      await one.emit();
      const delivery = await one.attempts(1);
      await one.emitAgain();
      await one.receiver.next();
      await one.receiver.next();
      expect([delivery.state, ...outcomesOf(delivery)]).toEqual(["DELIVERY_STATE_PENDING", "refused"]);
      const metrics = await (await fetch(`${kit.gatehouse.managementUrl}/metrics`)).text();
      expect(metrics).toContain("gatehouse_temporal_reachable 0");
      expect(metrics).toMatch(/gatehouse_webhook_hand_over_overdue_seconds [\d.]+/);
    });
  }));

describeWith(temporalPart(), "a server that does not fit", () =>
  withScope((closeLater) => {
    it("lacks search attributes: one line with the command that mends it, and then it continues by itself", async () => {
      const temporal = await openTemporal(closeLater, { bare: true });
      const gatehouse = await openProcesses(closeLater, {
        flags: { ...LOGGED, "temporal-address": temporal.address, "log-destination": "file" },
      });
      const trouble = await eventually(
        async () => (await healthOf(gatehouse)).body.checks.temporal ?? "",
        (told) => told.includes("temporal operator"),
      );
      const command = /Add them with: temporal (.*)$/.exec(trouble)?.[1] ?? "";
      expect(command).toContain("--name WebhookAttempts --type Int");
      temporal.command(...command.replace(/ --address \S+$/, "").split(" "));
      const health = await eventually(
        () => healthOf(gatehouse),
        ({ body }) => body.status === "ready",
        60_000,
      );
      expect(health.body).toMatchObject({ status: "ready", checks: { "hand-overs": "ok", temporal: "ok" } });
      expect((await told(gatehouse)).map(({ detail }) => detail)).toEqual([trouble]);
    }, 180_000);

    it("loses search attributes while the product runs: it says so, and what failed meanwhile is retried when they are back", async () => {
      const temporal = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": temporal.address } });
      const checked = async () => (await healthOf(kit.gatehouse)).body.checks.temporal ?? "";
      await eventually(checked, (told) => told === "ok");
      temporal.command("operator", "search-attribute", "remove", "--name", "WebhookAttempts", "--yes");
      const one = await kit.subscriber("orphaned");
      one.receiver.answerNext({ status: 500 });
      await one.emit();
      await one.attempts(1);
      const trouble = await eventually(checked, (told) => told.includes("search-attribute create"));
      expect(trouble).toContain("--name WebhookAttempts --type Int");
      const metrics = await (await fetch(`${kit.gatehouse.managementUrl}/metrics`)).text();
      expect(metrics).toContain("gatehouse_temporal_reachable 0");
      temporal.command("operator", "search-attribute", "create", "--name", "WebhookAttempts", "--type", "Int");
      expect(outcomesOf(await one.settled(130_000))).toEqual(["refused", "acknowledged"]);
      // It remembers that nothing could be started until a start succeeds.
      expect(await eventually(checked, (told) => told === "ok")).toBe("ok");
    }, 300_000);

    it("lacks the namespace: one line with the command that creates it", async () => {
      const temporal = await openTemporal(closeLater);
      const gatehouse = await openProcesses(closeLater, {
        flags: { "temporal-address": temporal.address, "temporal-namespace": "elsewhere" },
      });
      const trouble = await eventually(
        async () => (await healthOf(gatehouse)).body.checks.temporal ?? "",
        (text) => text.includes("temporal operator"),
      );
      expect(trouble).toBe(
        `The namespace elsewhere is not there. Make it with: temporal operator namespace create --namespace elsewhere --address ${temporal.address}`,
      );
    });
  }),
);

describeWith(temporalPart(), "a server that falls silent beside a worker that runs", () =>
  withScope((closeLater) => {
    it("does not keep the product from a clean stop (R-X383)", async () => {
      const temporal = await openTemporal(closeLater);
      const [host = "", port] = temporal.address.split(":");
      const proxy = await openFaultProxy(closeLater, { target: { host, port: Number(port) } });
      const gatehouse = await openProcesses(closeLater, { flags: { "temporal-address": `127.0.0.1:${proxy.port}` } });
      await eventually(
        () => healthOf(gatehouse),
        ({ body }) => body.checks.temporal === "ok",
      );
      proxy.silence();
      expect(await gatehouse.programs.all?.end("SIGTERM")).toBe(0);
    }, 90_000);
  }),
);

describeWith(temporalPart(), "authorizationCodeExpiry on a real server", () =>
  withScope((closeLater) => {
    it("is started once for a minute in which codes were issued, to run when the last has expired", async () => {
      const temporal = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": temporal.address } });
      const before = Date.now();
      const code = await obtainCode(kit.gatehouse.url, kit.world);
      const query = "WorkflowType = 'authorizationCodeExpiry'";
      const list = async () => {
        const found: { readonly workflowId: string; readonly startTime: Date; readonly executionTime: Date }[] = [];
        for await (const { workflowId, startTime, executionTime } of temporal.client.workflow.list({ query }))
          found.push({ workflowId, startTime, executionTime: executionTime ?? startTime });
        return found;
      };
      const [bucket] = await eventually(list, (found) => found.length > 0);
      expect(bucket?.workflowId).toMatch(/^code-expiry\/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/);
      const { workflowId, startTime, executionTime } = present(bucket);
      const end = Date.parse(workflowId.slice("code-expiry/".length)) + 11 * 60_000;
      // The delay was what was left until the end at some instant of this test; the server counts it from its own start of the workflow.
      const asked = end - (executionTime.getTime() - startTime.getTime());
      expect(asked).toBeGreaterThanOrEqual(before);
      expect(asked).toBeLessThanOrEqual(Date.now());
      await temporal.client.workflow.start("authorizationCodeExpiry", {
        taskQueue: "gatehouse",
        workflowId: "code-expiry/at-once",
        args: [{ minute: "2026-11-20T07:05Z" }],
      });
      expect(await temporal.client.workflow.getHandle("code-expiry/at-once").result()).toBe(
        "0 codes expired unused; looked at because some were issued at 2026-11-20T07:05Z.",
      );
      await temporal.end("SIGTERM");
      expect(temporal.stored().length).toBeGreaterThan(0);
      expect(temporal.stored().filter((bytes) => bytes.includes(code))).toEqual([]);
    }, 90_000);

    it("is started again when the server comes back empty (R-X76)", async () => {
      const temporal = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": temporal.address } });
      const list = async () => {
        const found: string[] = [];
        const query = "WorkflowType = 'authorizationCodeExpiry'";
        for await (const { workflowId } of temporal.client.workflow.list({ query })) found.push(workflowId);
        return found;
      };
      const isThere = (found: readonly string[]) => found.length > 0;
      await obtainCode(kit.gatehouse.url, kit.world);
      const [before] = await eventually(list, isThere);
      await temporal.end("SIGKILL");
      await temporal.start({ emptied: true });
      expect(await eventually(list, isThere, 120_000)).toEqual([before]);
    }, 180_000);
  }),
);

/** What the log says about a server that cannot be used. The log is buffered: the process is ended first. */
async function told({ programs, dataDirectory }: ProcessGatehouse): Promise<readonly { readonly detail?: string }[]> {
  await programs.all?.end();
  return readFileSync(join(dataDirectory, "gatehouse.log"), "utf8")
    .split("\n")
    .filter((line) => line.includes(CANNOT))
    .map((line) => JSON.parse(line) as { readonly detail?: string });
}
