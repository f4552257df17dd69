import { type Delivery, DeliveryState } from "../../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type Recovery, RecoveryState } from "../../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { alreadyExists } from "../../../../src/runtime/basis/errors.ts";
import { eventually } from "../../../support/eventually.ts";
import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import { withScope } from "../../../support/scope.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";
import { makeWorld, type World } from "../../../support/world.ts";
import { gatehouse, idOf, openStub, type Ran } from "../../command-line.ts";

describe("gatehouse deliveries resend, gatehouse recoveries (R-E10)", () => {
  withScope((closeLater) => {
    let run: (...words: string[]) => Promise<Ran>;
    let receiver: WebhookReceiver;
    let product: Gatehouse;
    let world: World;

    beforeEach(async () => {
      product = await openGatehouse(closeLater, { flags: { "webhook-attempt-delays": "10ms" } });
      run = (...words) => gatehouse([...words, "--data-directory", product.dataDirectory]);
      world = await makeWorld(product);
      receiver = await startWebhookReceiver({ answer: { status: 503 } });
      closeLater(() => receiver.stop());
      await product.webhooks.createSubscription({
        label: "payroll",
        instanceIntegrationId: world.instanceIntegrationId,
        endpointUrl: receiver.url,
        eventTypes: ["organization_location.created"],
        tenantIds: [],
      });
      await product.platform.createLocation({ requestId: "", tenantId: world.tenantId, name: "Quay" });
      await delivery("exhausted");
    });

    const json = async (...words: string[]) => JSON.parse((await run(...words, "--json")).stdout);
    const delivery = async (state: string) => {
      const list = await eventually(
        () => json("deliveries", "list", "--state", state),
        ({ deliveries }) => deliveries.length > 0,
      );
      return list.deliveries[0];
    };
    /** All recoveries, when none is running any more. */
    const finished = () =>
      eventually(
        () => json("recoveries", "list"),
        ({ recoveries }) => recoveries.every(({ state }: { state: string }) => state === "finished"),
      );

    it("sends one again and shows its round", async () => {
      const { id } = await delivery("exhausted");
      const { exitCode, stderr } = await run("deliveries", "resend", id);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(new RegExp(`^It is sent once more\\.\\s+Next: gatehouse deliveries show ${id} `));
      const { attempts } = await eventually(
        () => json("deliveries", "show", id),
        (one) => one.attempts.length === 3 && one.state === "exhausted",
      );
      expect(attempts.map(({ round }: { round: number }) => round)).toEqual([1, 1, 2]);
      expect((await run("deliveries", "show", id)).stdout).toMatch(/^round 2, attempt 1 +127\.0\.0\.1:\d+ refused it/m);
    });

    it("says why one cannot be sent again", async () => {
      const { exitCode, stderr } = await run("deliveries", "resend", "delivery_000000000000000000000");
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain("There is no delivery delivery_000000000000000000000.");
    });

    it("starts a recovery, shows how far it is, and lists it", async () => {
      const { exitCode, stdout } = await run(
        "recoveries",
        "start",
        "--subscription",
        "payroll",
        "--since",
        anHourAgo(),
      );
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^subscription +payroll /m);
      expect(stdout).toMatch(/^deliveries +exhausted and skipped, made from /m);
      const { recoveries } = await finished();
      expect(recoveries).toMatchObject([
        { subscriptionLabel: "payroll", progress: { matched: 1, sent: 1, acknowledged: 0, failed: 1 } },
      ]);
      expect((await run("recoveries", "list", "--state", "finished")).stdout).toMatch(/payroll +finished +1 of 1 +0 /);
      expect((await run("recoveries", "list", "--state", "paused")).stderr).toContain("There are no such recoveries.");
      const { id } = recoveries[0];
      expect((await run("recoveries", "cancel", id)).stderr).toContain("It is finished already.");
      expect((await run("recoveries", "pause", id)).stderr).toContain("It is finished already.");
    });

    it("starts one for each subscription, and says why not (R-X360)", async () => {
      const { exitCode, stdout, stderr } = await run("recoveries", "start-all", "--since", anHourAgo());
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^payroll +recovery_\w{21} +[-–—]$/m);
      expect(stderr).toContain("1 started, 0 not.");
      await finished();
      await run("subscriptions", "pause", "payroll");
      const paused = await json("recoveries", "start-all", "--since", anHourAgo());
      expect(paused).toMatchObject({
        started: [],
        notStarted: [{ subscriptionLabel: "payroll", reason: "subscription_paused" }],
      });
      await run("subscriptions", "resume", "payroll");
      const unknown = "integration_AAAAAAAAAAAAAAAAAAAAA";
      const ofNobody = await run("recoveries", "start-all", "--since", anHourAgo(), "--integration", unknown);
      expect([ofNobody.exitCode, ofNobody.stderr]).toEqual([
        1,
        expect.stringContaining(`There is no integration ${unknown}.`),
      ]);
      await product.webhooks.createSubscription({
        ...{ label: "reader", instanceIntegrationId: world.instanceIntegrationId, endpointUrl: "" },
        ...{ eventTypes: ["*"], tenantIds: [] },
      });
      const quiet = await run("recoveries", "start-all", "--since", anHourAgo());
      expect(quiet.stderr).toContain("1 started, 0 not, 1 without an endpoint.");
      expect(quiet.stdout).not.toContain("reader");
      const wrong = await run("recoveries", "start-all", "--since", "2000-01-01");
      expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("--since")]);
    });

    it("says how the list goes on", async () => {
      const pages = 3;
      for (let started = 0; started < pages; started++) {
        await run("recoveries", "start", "--subscription", "payroll", "--since", anHourAgo());
        await finished();
      }
      const first = ["recoveries", "list", "--subscription", "payroll", "--state", "finished", "--limit", "1"];
      let words = first;
      for (let page = 1; page < pages; page++) {
        const { nextCursor } = await json(...words);
        const { stdout, stderr } = await run(...words);
        expect(stdout).toMatch(/payroll +finished/);
        words = [...first, "--cursor", nextCursor];
        expect(stderr).toContain(`Next: gatehouse ${words.join(" ")}`);
      }
      const last = await run(...words);
      expect(last.stdout).toMatch(/payroll +finished/);
      expect(last.stderr).not.toContain("Next:");
    });

    it("says which flag is wrong", async () => {
      const ran = await run("recoveries", "start", "--subscription", "payroll", "--since", "2020-01-01");
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toContain("--since must be at most 31 days before --until: start a recovery");
      const cursor = await run("recoveries", "list", "--cursor", "nope");
      expect(cursor.stderr).toContain("--cursor must be a cursor that this list returned");
      const missing = await run("recoveries", "show", "recovery_000000000000000000000");
      expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("gatehouse recoveries list") });
      const unknown = await run("recoveries", "show", "payroll");
      expect(unknown.stderr).toContain("gatehouse recoveries list");
    });
  });
});

describe("gatehouse recoveries start, beside what is under way", () => {
  withScope((closeLater) => {
    const RECOVERY: Recovery = {
      ...{ id: idOf("recovery"), subscriptionId: idOf("subscription"), subscriptionLabel: "payroll" },
      ...{
        state: RecoveryState.RUNNING,
        from: new Date(0),
        to: new Date(1),
        states: [],
        eventTypes: [],
        tenantIds: [],
      },
      createdAt: new Date(1),
      progress: { matched: 0, counted: false, sent: 0, acknowledged: 0, failed: 0, bodyRemoved: 0 },
    };
    const PENDING: Delivery = {
      ...{ id: idOf("delivery"), eventId: idOf("event"), eventType: "user.updated", createdAt: new Date(0) },
      ...{ subscriptionId: idOf("subscription"), subscriptionLabel: "payroll", state: DeliveryState.PENDING },
      ...{ reason: null, dueAt: new Date(1), attempts: [], bodyRemoved: false },
    };
    const start = ["recoveries", "start", "--subscription", idOf("subscription"), "--since", anHourAgo()];

    it.each([
      [
        1,
        "Started. Other deliveries of the subscription are pending: they are sent by themselves, and are no part of it.",
      ],
      [0, "Started."],
    ])("says with %d pending delivery: %s", async (count, said) => {
      const stub = await openStub(closeLater, {
        webhooks: {
          listDeliveries: async () => ({ deliveries: Array<Delivery>(count).fill(PENDING), nextCursor: null }),
          startRecovery: async () => ({ recovery: RECOVERY }),
        },
      });
      const { exitCode, stderr } = await stub.run(start);
      expect([exitCode, stderr.split("\n\n")[0]?.replaceAll("\n", " ")]).toEqual([0, said]);
      expect(stub.received.map(({ path }) => path).slice(0, 2)).toEqual(["ListDeliveries", "StartRecovery"]);
    });

    it("names the command that shows the other recovery, where one is not over", async () => {
      const stub = await openStub(closeLater, {
        webhooks: {
          listDeliveries: async () => ({ deliveries: [], nextCursor: null }),
          startRecovery: async () => {
            throw alreadyExists("recovery_not_over", "The subscription has an unfinished recovery.");
          },
        },
      });
      const { exitCode, stderr } = await stub.run(start);
      expect([exitCode, stderr.split("\n")[1]]).toEqual([
        1,
        `See how far it is: gatehouse recoveries list --subscription ${idOf("subscription")} --state running --state paused --socket-directory ${stub.socketDirectory}`,
      ]);
    });
  });
});

/** An hour ago. */
function anHourAgo(): string {
  return new Date(Date.now() - 3_600_000).toISOString();
}
