import type {
  Event,
  EventExplanation,
  ExplainEventRequest,
  ListEventsRequest,
} from "../../../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { DeliveryState } from "../../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { notFound } from "../../../../src/runtime/basis/errors.ts";
import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const EVENT: Event = {
  id: idOf("event"),
  type: "user.updated",
  occurredAt: AT,
  entityType: "user",
  entityId: idOf("user"),
  instanceId: idOf("instance"),
  tenantId: idOf("client"),
  sequence: 4711,
  deliveries: 2,
};
const SUBSCRIPTION = idOf("subscription");
const UNMATCHED: EventExplanation = {
  event: EVENT,
  subscriptionId: SUBSCRIPTION,
  subscriptionLabel: "marigold",
  rules: [
    { rule: "connection", fits: true, sentence: "The instance integration is not revoked." },
    { rule: "event_type", fits: false, sentence: "The subscription is for client.created." },
  ],
  sentence: "It did not match: The subscription is for client.created.",
};
const SENT: EventExplanation = {
  ...UNMATCHED,
  rules: [],
  delivery: {
    ...{ id: idOf("delivery"), eventId: EVENT.id, eventType: EVENT.type },
    ...{ subscriptionId: SUBSCRIPTION, subscriptionLabel: "marigold", state: DeliveryState.SKIPPED },
    ...{ reason: "subscription_paused", createdAt: AT, dueAt: null, attempts: [], bodyRemoved: false },
  },
  sentence: "It matched and was not sent: the subscription was paused.",
};

describe("gatehouse events (R-X291, R-X292)", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    let explained: EventExplanation;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        events: {
          listEvents: async ({ eventType }) =>
            eventType === "client.created" ? { events: [] } : { events: [EVENT], nextCursor: "next-page" },
          explainEvent: async ({ eventId }) => {
            if (eventId !== EVENT.id) throw notFound("event_not_found", "Event not found.");
            return { explanation: explained };
          },
        },
      });
    });

    const lastRequest = <T>() => stub.received.at(-1)?.request as T;
    const explain = (...words: readonly string[]) =>
      stub.run(["events", "explain", EVENT.id, "--subscription", SUBSCRIPTION, ...words]);

    it("lists events, and the command for the next page with the same filter", async () => {
      const { stdout, stderr } = await stub.run(["events", "list", "--type", "user.updated", "--limit", "1"]);
      expect(lastRequest<ListEventsRequest>()).toMatchObject({ eventType: "user.updated", limit: 1, entityId: null });
      expect(stdout).toContain(`user.updated  ${EVENT.entityId}  2           2026-11-20 10:54 UTC  ${EVENT.id}`);
      expect(stderr).toContain("Next: gatehouse events list --type user.updated --limit 1 --cursor next-page");
    });

    it("says that there are none", async () => {
      const { stderr } = await stub.run(["events", "list", "--type", "client.created"]);
      expect(stderr).toBe("There are no such events.\n");
    });

    it.each(["Maren Dahl", "maren@harbour.example", "user_1", ""])(
      "refuses “%s” as what events are about, and asks for none; an id of any kind is passed on",
      async (entity) => {
        const asked = stub.received.length;
        const { exitCode, stdout, stderr } = await stub.run(["events", "list", "--entity", entity]);
        expect([exitCode, stdout, stub.received.length]).toEqual([2, "", asked]);
        expect(stderr).toContain("It must be an id, for example user_ followed by 21 letters or digits.\n");
        await stub.run(["events", "list", "--entity", idOf("worker")]);
        expect(lastRequest<ListEventsRequest>()).toMatchObject({ entityId: idOf("worker") });
      },
    );

    it("list stops after 200,000 events of which none fits, and says where to go on", async () => {
      const endless = await openStub(closeLater, {
        events: { listEvents: async ({ cursor }) => ({ events: [], nextCursor: String(Number(cursor) + 1) }) },
      });
      const { stderr } = await endless.run(["events", "list", "--type", "user.updated"]);
      expect(endless.received.length * 2_000).toBe(200_000);
      expect(stderr).toMatch(/^There are no such events so far back\.\n\nNext: .* --cursor 100 /);
    });

    it("list goes on until it has as many as were asked for, and asks for no more", async () => {
      const found = await openStub(closeLater, {
        events: {
          listEvents: async ({ cursor }) => ({ events: cursor ? [EVENT, EVENT] : [EVENT], nextCursor: "next-page" }),
        },
      });
      const { stdout } = await found.run(["events", "list", "--limit", "3", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ events: { length: 3 }, nextCursor: "next-page" });
      expect(found.received.map(({ request }) => request)).toMatchObject([
        { limit: 3, cursor: null },
        { limit: 2, cursor: "next-page" },
      ]);
    });

    it("refuses a type that there is not, with those that there are", async () => {
      const { exitCode, stdout, stderr } = await stub.run(["events", "list", "--type", "nope"]);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("--type <type> cannot be “nope”. Allowed choices are client.created, user.created, ");
      expect(stderr).toContain("recovery.finished.\nSee: gatehouse events list --help");
    });

    it("names the rule that did not fit", async () => {
      explained = UNMATCHED;
      const { stdout, stderr } = await explain();
      expect(lastRequest<ExplainEventRequest>()).toEqual({ eventId: EVENT.id, subscriptionId: SUBSCRIPTION });
      expect(stdout).toMatch(/^event type +NO: The subscription is for client.created\.$/m);
      expect(stdout).toMatch(/^connection +yes: /m);
      expect(stderr).toContain(UNMATCHED.sentence);
    });

    it("shows the delivery where there is one", async () => {
      explained = SENT;
      const { stdout, stderr } = await explain();
      expect(stdout).toMatch(/^state +skipped \(subscription paused\)$/m);
      expect(stderr).toContain(SENT.sentence);
    });

    it("has everything in JSON", async () => {
      explained = UNMATCHED;
      const { stdout } = await explain("--json");
      expect(JSON.parse(stdout)).toMatchObject({
        event: { id: EVENT.id, sequence: 4711, occurredAt: "2026-11-20T10:54:03.412Z" },
        rules: [{ fits: true }, { rule: "event_type", fits: false }],
        delivery: null,
        sentence: UNMATCHED.sentence,
      });
    });

    it("says where events are listed when there is no such event", async () => {
      const words = ["events", "explain", idOf("event", "Z"), "--subscription", SUBSCRIPTION];
      expect(await stub.run(words)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("gatehouse events list"),
      });
    });
  });
});
