import { type Delivery, DeliveryState } from "../../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { deliveryFacts } from "../../../../src/cli/commands/deliveries/delivery-shown.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import { withScope } from "../../../support/scope.ts";
import { startWebhookReceiver } from "../../../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../../../support/world.ts";
import { gatehouse, idOf, openStub, type Ran } from "../../command-line.ts";

interface ListedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly attempts: readonly { readonly outcome: string; readonly endpoint: string; readonly answer: string | null }[];
}

describe("gatehouse deliveries, where receivers fail", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    let world: World;
    let run: (...words: string[]) => Promise<Ran>;
    let failed: (endpointUrl: string, label: string) => Promise<ListedDelivery>;

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      run = (...words) => gatehouse([...words, "--data-directory", product.dataDirectory]);
      world = await makeWorld(product);
      const list = async (label: string): Promise<readonly ListedDelivery[]> =>
        JSON.parse((await run("deliveries", "list", "--subscription", label, "--json")).stdout).deliveries;
      failed = async (endpointUrl, label) => {
        const eventTypes = ["organization_location.created"];
        const { instanceIntegrationId } = world;
        await product.webhooks.createSubscription({
          label,
          instanceIntegrationId,
          endpointUrl,
          eventTypes,
          tenantIds: [],
        });
        await product.platform.createLocation({ requestId: "", tenantId: world.tenantId, name: label });
        const found = await eventually(
          () => list(label),
          (deliveries) => ![undefined, "in_flight"].includes(deliveries[0]?.attempts[0]?.outcome),
        );
        return present(found[0]);
      };
    });

    it("list says that there are none yet, or none of what was asked for, and where the events are", async () => {
      const empty = await openStub(closeLater, {
        webhooks: { listDeliveries: async () => ({ deliveries: [], nextCursor: null }) },
      });
      const said = async (...words: readonly string[]) =>
        (await empty.run(["deliveries", "list", ...words])).stderr.split("\n\n");
      const next = expect.stringMatching(/^Next: what happened, .*: gatehouse events list --socket-directory \S+\n$/);
      expect(await said()).toEqual(["There are no deliveries yet.", next]);
      expect(await said("--state", "exhausted")).toEqual(["There are no such deliveries.", next]);
    });

    it("list stops after 200,000 deliveries of which none fits, and says where to go on", async () => {
      const endless = await openStub(closeLater, {
        webhooks: {
          listDeliveries: async ({ cursor }) => ({ deliveries: [], nextCursor: String(Number(cursor) + 1) }),
        },
      });
      const { stderr } = await endless.run(["deliveries", "list", "--type", "user.updated"]);
      expect(endless.received.length * 500).toBe(200_000);
      expect(stderr).toMatch(/^There are no such deliveries so far back\.\n\nNext: .* --cursor 400 /);
    });

    it("show says which host refused it with which status, and what it answered (R-X195)", async () => {
      const body = "\u001b[31mmaintenance until noon\u001b[0m\r\n";
      const receiver = await startWebhookReceiver({ answer: { status: 503, body } });
      closeLater(() => receiver.stop());
      const { id, eventId } = await failed(`${receiver.url}?token=secret`, "refusing");
      const { stdout } = await run("deliveries", "show", id);
      const { host } = new URL(receiver.url);
      expect(stdout).toMatch(new RegExp(`^attempt 1 +${host} refused it with 503, in \\d+ ms, 2`, "m"));
      expect(stdout).toMatch(/^ {2}answer +\[31mmaintenance until noon \[0m$/m);
      expect(stdout).not.toContain("secret");
      const ofEvent = await run("deliveries", "list", "--event", eventId);
      expect(ofEvent.stdout).toContain(id);
      expect(ofEvent.stderr).toContain(`Next: gatehouse deliveries show ${id}`);
    });

    it("list refuses what is no event's id: there may be deliveries of the one that was meant", async () => {
      const { exitCode, stderr } = await run("deliveries", "list", "--event", "event_1");
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("There is no event named event_1.")]);
    });

    it("list says that no connection was accepted, and by which host", async () => {
      const port = await freePort();
      const { id } = await failed(`http://127.0.0.1:${port}/hooks`, "closed");
      const { stdout } = await run("deliveries", "list", "--subscription", "closed");
      expect(stdout).toMatch(
        new RegExp(`1: 127.0.0.1:${port} accepts no connection, or ended it, in \\d+ ms.* ${id}$`, "m"),
      );
    });

    it("list says that TLS failed, where https is asked of an http port", async () => {
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await failed(receiver.url.replace("http:", "https:"), "no-tls");
      const { stdout } = await run("deliveries", "list", "--subscription", "no-tls");
      expect(stdout).toContain(
        `1: ${new URL(receiver.url).host}: no valid TLS: its certificate has expired, is not trusted or is for another name, or there is none at this port`,
      );
    });

    it("list finds the deliveries of a type behind more others than one reading looks at", async () => {
      const { instanceIntegrationId, tenantId } = world;
      const label = "searched";
      await product.webhooks.createSubscription({
        ...{ label, instanceIntegrationId, tenantIds: [] },
        ...{ endpointUrl: `http://127.0.0.1:${await freePort()}/hooks`, eventTypes: ["*"] },
      });
      await run("subscriptions", "pause", label);
      await product.platform.createUnitType({ requestId: "", tenantId, name: label, units: [] });
      const others = Array.from({ length: 501 }, (_, number) => `Location ${number}`);
      await Promise.all(others.map((name) => product.platform.createLocation({ requestId: "", tenantId, name })));
      const found = await eventually(
        () => run("deliveries", "list", "--subscription", label, "--type", "organization_unit_type.created"),
        ({ stdout }) => stdout.includes("organization_unit_type.created"),
      );
      expect(found.stdout).toMatch(/^organization_unit_type.created +skipped /m);
      expect(found.stderr).not.toContain("--cursor");
    });

    it("show refuses an id that does not exist with exit code 1, and other text with 2", async () => {
      expect((await run("deliveries", "show", "delivery_AAAAAAAAAAAAAAAAAAAAA")).exitCode).toBe(1);
      expect((await run("deliveries", "show", "1")).exitCode).toBe(2);
    });
  });
});

describe("how an attempt ended", () => {
  const AT = new Date("2026-11-20T10:54:03.412Z");
  const attempted = (outcome: string, httpStatus: number | null): Delivery => ({
    ...{ id: idOf("delivery"), eventId: idOf("event"), eventType: "user.updated" },
    ...{ subscriptionId: idOf("subscription"), subscriptionLabel: "payroll", state: DeliveryState.EXHAUSTED },
    ...{ reason: null, createdAt: AT, dueAt: null, bodyRemoved: false },
    attempts: [
      {
        ...{ round: 1, attemptNumber: 1, startedAt: AT, finishedAt: AT, durationMs: 3, answer: null },
        ...{ outcome, httpStatus, endpoint: "https://hooks.example/in" },
      },
    ],
  });

  it.each<[string, number | null, string]>([
    ["acknowledged", 204, " acknowledged it with 204"],
    ["redirect", 302, " answered 302, a redirect, which is not followed"],
    ["refused", 500, " refused it with 500"],
    ["refused", null, " refused it with an unknown status"],
    ["gone", 410, " answered 410: it wants no more events"],
    ["timeout", null, " did not answer in time"],
    ["connection", 200, " accepts no connection, or ended it (status 200)"],
    ["something_new", null, ": something_new"],
  ])("%s with %s is said in a sentence", (outcome, status, words) => {
    const [, shown] = deliveryFacts(attempted(outcome, status)).find(([name]) => name === "attempt 1") ?? [];
    expect(shown).toBe(`hooks.example${words}, in 3 ms, 2026-11-20 10:54:03 UTC`);
  });
});
