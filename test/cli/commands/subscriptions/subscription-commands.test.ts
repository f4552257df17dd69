import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DeliveryState,
  SecretKind,
  type Subscription,
  SubscriptionState,
} from "../../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { Failure } from "../../../../src/runtime/basis/errors.ts";
import { newFolder } from "../../../support/folder.ts";
import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const LATER = new Date("2026-11-21T10:54:03.412Z");
const ID = idOf("subscription");
const KEY = "whpk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const SUBSCRIPTION: Subscription = {
  id: ID,
  label: "marigold",
  instanceIntegrationId: idOf("installation"),
  integrationId: idOf("integration"),
  endpointUrl: "https://hooks.example/in",
  eventTypes: ["user.*"],
  tenantIds: [],
  state: SubscriptionState.ACTIVE,
  stateReason: null,
  stateSince: AT,
  createdAt: AT,
  updatedAt: AT,
  entityTag: "q83vEjRWeJCrze8BI0VniQ",
  description: "of payroll",
  extraHeaders: [{ name: "x-api-key", value: null, maskedValue: "********" }],
  secrets: [
    { number: 3, kind: SecretKind.ASYMMETRIC, createdAt: AT, expiresAt: null, publicKey: KEY },
    { number: 2, kind: SecretKind.SYMMETRIC, createdAt: AT, expiresAt: null, publicKey: null },
    { number: 1, kind: SecretKind.SYMMETRIC, createdAt: AT, expiresAt: LATER, publicKey: null },
  ],
};
const PENDING = { ...SUBSCRIPTION, state: SubscriptionState.PENDING };
const PING = {
  id: idOf("delivery"),
  eventId: idOf("event"),
  eventType: "webhook.ping",
  subscriptionId: ID,
  subscriptionLabel: "marigold",
  state: DeliveryState.EXHAUSTED,
  reason: null,
  createdAt: AT,
  dueAt: null,
  attempts: [
    {
      round: 1,
      attemptNumber: 1,
      startedAt: AT,
      finishedAt: AT,
      outcome: "refused",
      httpStatus: 401,
      durationMs: 9,
      endpoint: "https://hooks.example/in",
      answer: "bad signature",
    },
  ],
  bodyRemoved: false,
};

describe("gatehouse subscriptions", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    let acknowledges: boolean;
    let isPingLost: boolean;
    let subscriptionsLeft: number;
    let shownState: SubscriptionState = SUBSCRIPTION.state;
    let resumed: Subscription;
    let missedSince: Date;
    let blockedReason: string | null;
    let folder: string;

    beforeAll(async () => {
      folder = newFolder("gh-subscriptions-");
      const answer = async () => ({ subscription: SUBSCRIPTION });
      stub = await openStub(closeLater, {
        webhooks: {
          listSubscriptions: async ({ labelContains, limit }) => ({
            subscriptions: labelContains === "nothing" || subscriptionsLeft === 0 ? [] : [SUBSCRIPTION],
            nextCursor: limit === 1 ? "next-page" : null,
          }),
          createSubscription: async () => ({ subscription: PENDING, signingSecret: "whsec_the-secret" }),
        },
        subscriptions: {
          getSubscription: async () => ({ subscription: { ...SUBSCRIPTION, state: shownState } }),
          updateSubscription: async ({ endpointUrl }) => ({
            subscription: endpointUrl === "" ? SUBSCRIPTION : PENDING,
          }),
          pauseSubscription: answer,
          resumeSubscription: async () => ({ subscription: resumed, skipped: { since: missedSince, count: 2 } }),
          enableSubscription: async () => ({ subscription: resumed, skipped: null }),
          deleteSubscription: answer,
          pingSubscription: async () => {
            if (isPingLost) throw new Failure("UNAVAILABLE", "overloaded", "Gatehouse is overloaded.");
            return acknowledges
              ? { subscription: SUBSCRIPTION, ping: { ...PING, state: DeliveryState.DELIVERED } }
              : { subscription: PENDING, ping: PING };
          },
          rotateSecret: async ({ kind, secret }) => ({
            subscription: SUBSCRIPTION,
            number: 4,
            secret: kind === SecretKind.ASYMMETRIC || secret ? null : "whsec_another-secret",
          }),
          revokeSecret: answer,
        },
        testEvents: {
          triggerTestEvent: async () => ({ eventId: PING.eventId, deliveryId: PING.id, blockedReason }),
        },
      });
    });
    beforeEach(() => {
      acknowledges = true;
      isPingLost = false;
      subscriptionsLeft = 1;
      resumed = SUBSCRIPTION;
      missedSince = AT;
      blockedReason = null;
    });

    const run = (...words: string[]) => stub.run(["subscriptions", ...words]);
    const last = () => stub.received.at(-1)?.request;
    const said = (text: string) => text.replaceAll(/\s+/g, " ");
    const file = async (name: string, text: string) => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    };

    const CREATE = ["create", "--label", "marigold", "--instance-integration", idOf("installation")];

    it("list asks for what its flags say, and says so in the command for the next page", async () => {
      const [integration, tenant] = [idOf("integration"), idOf("client")];
      const filter = ["--label", "mari", "--state", "paused", "--state", "disabled", "--endpoint", "hooks.example"];
      const more = ["--integration", integration, "--tenant", tenant, "--limit", "1"];
      const { stdout, stderr } = await run("list", ...filter, ...more);
      expect(last()).toEqual({
        label: null,
        labelContains: "mari",
        states: [SubscriptionState.PAUSED, SubscriptionState.DISABLED],
        integrationId: integration,
        tenantId: tenant,
        endpointUrlContains: "hooks.example",
        limit: 1,
        cursor: null,
      });
      expect(stdout).toContain(ID);
      expect(said(stderr)).toContain(
        `Next: gatehouse subscriptions list --label mari --state paused --state disabled --integration ${integration} --tenant ${tenant} --endpoint hooks.example --limit 1 --cursor next-page`,
      );
    });

    it("list lists all without a flag, and says when no subscription has what they ask for", async () => {
      const all = await run("list", "--cursor", "next-page", "--json");
      expect(last()).toMatchObject({ states: [], limit: null, cursor: "next-page" });
      expect(JSON.parse(all.stdout)).toMatchObject({ subscriptions: [{ id: ID }], nextCursor: null });
      const none = await run("list", "--label", "nothing");
      expect(said(none.stderr)).toContain("There are no such subscriptions. Next: gatehouse subscriptions list");
      subscriptionsLeft = 0;
      const empty = await run("list");
      expect(said(empty.stderr)).toContain("There are no subscriptions yet. Next: gatehouse subscriptions create");
    });

    it("create pings first, and says that the endpoint acknowledged it", async () => {
      const { stdout, stderr } = await run(...CREATE, "--endpoint-url", "https://hooks.example/in");
      expect(stub.received.at(-2)?.request).toMatchObject({ options: { pingFirst: true, asymmetric: false } });
      expect(stub.received.at(-1)).toMatchObject({ path: "PingSubscription", request: { subscriptionId: ID } });
      expect(said(stderr)).toContain("The endpoint acknowledged a ping: the subscription is active.");
      expect(stdout).toMatch(/^signing secret +whsec_the-secret$/m);
    });

    it("create shows what came back instead of an acknowledgement, and how to ping again", async () => {
      acknowledges = false;
      const { stdout, stderr, exitCode } = await run(...CREATE, "--endpoint-url", "https://hooks.example/in");
      expect(said(stderr)).toContain("The endpoint did not acknowledge the ping. The subscription stays pending");
      expect(said(stderr)).toContain("Next: gatehouse subscriptions ping marigold");
      expect(stdout).toContain("refused it with 401");
      expect(stdout).toContain("bad signature");
      expect(exitCode).toBe(0);
    });

    it("create and update show what they did, the secret too, where the call for the ping fails", async () => {
      isPingLost = true;
      const made = await run(...CREATE, "--endpoint-url", "https://hooks.example/in");
      expect([made.exitCode, made.stdout]).toEqual([0, expect.stringMatching(/^signing secret +whsec_the-secret$/m)]);
      expect(said(made.stderr)).toContain("is pending: what came back of its ping is not known");
      expect(said(made.stderr)).toContain("Next: gatehouse subscriptions ping marigold");
      const moved = await run("update", "marigold", "--endpoint-url", "https://new.example/");
      expect([moved.exitCode, said(moved.stderr)]).toEqual([
        0,
        expect.stringContaining("The subscription is changed."),
      ]);
      expect((await run("ping", "marigold")).exitCode).toBe(3);
    });

    it("create takes headers and a secret from files, never as arguments", async () => {
      const headers = await file("headers", "X-Api-Key: secret: with a colon\n\nx-kept\n");
      const secret = await file("secret", "whsec_own\n");
      const given = ["--headers-file", headers, "--secret-file", secret, "--asymmetric", "--skip-ping"];
      await run(...CREATE, "--pull-only", ...given, "--description", "of payroll");
      expect(stub.received.at(-2)?.request).toMatchObject({
        endpointUrl: "",
        options: {
          description: "of payroll",
          pingFirst: false,
          asymmetric: true,
          signingSecret: "whsec_own",
          extraHeaders: [
            { name: "X-Api-Key", value: "secret: with a colon" },
            { name: "x-kept", value: null },
          ],
        },
      });
    });

    it.each([
      ["neither an endpoint nor pull-only", []],
      ["both", ["--endpoint-url", "https://hooks.example/", "--pull-only"]],
      ["a file that is not there", ["--pull-only", "--headers-file", "/nowhere"]],
    ])("create refuses %s", async (_, flags) => {
      expect((await run(...CREATE, ...flags)).exitCode).toBe(2);
    });

    it("show has everything but secrets, also as JSON", async () => {
      const { stdout } = await run("show", "marigold");
      expect(stdout).toMatch(/^description +of payroll$/m);
      expect(stdout).toMatch(/^extra headers +x-api-key$/m);
      expect(stdout).toMatch(/^key pair 3 +whpk_A+=$/m);
      expect(stdout).toMatch(/^secret 1 +shown once, signs until 2026-11-21/m);
      const json = JSON.parse((await run("show", "marigold", "--json")).stdout);
      expect(json).toMatchObject({ state: "active", extraHeaders: ["x-api-key"], secrets: [{ number: 3 }, {}, {}] });
    });

    it.each([
      [SubscriptionState.ACTIVE, "gatehouse deliveries list --subscription marigold"],
      [SubscriptionState.PENDING, "gatehouse subscriptions ping marigold"],
      [SubscriptionState.PAUSED, "gatehouse subscriptions resume marigold"],
      [SubscriptionState.DISABLED, "gatehouse subscriptions enable marigold"],
    ])("show names the command that comes next: %s", async (state, next) => {
      shownState = state;
      const { stderr } = await run("show", "marigold");
      shownState = SUBSCRIPTION.state;
      expect(stderr).toContain(next);
    });

    it("update names the fields of the flags alone, and pings a changed endpoint", async () => {
      await run("update", "marigold", "--description", "", "--event-type", "user.*", "--event-type", "worker.*");
      expect(last()).toMatchObject({
        updateMask: ["event_types", "description"],
        eventTypes: ["user.*", "worker.*"],
        description: "",
      });
      const moved = await run("update", "marigold", "--endpoint-url", "https://new.example/");
      expect(stub.received.at(-1)?.path).toBe("PingSubscription");
      expect(said(moved.stderr)).toContain("The subscription is changed. The endpoint acknowledged a ping");
      await run("update", "marigold", "--tenant", "", "--endpoint-url", "", "--skip-ping");
      expect(last()).toMatchObject({ updateMask: ["endpoint_url", "tenant_ids"], tenantIds: [], skipPing: true });
      expect((await run("update", "marigold")).exitCode).toBe(2);
    });

    it("pause, resume and enable say what becomes of events", async () => {
      expect(said((await run("pause", "marigold")).stderr)).toContain("its events are skipped until it is resumed");
      expect(said((await run("resume", "marigold")).stderr)).toMatch(/2 events since 2026-11-20 .* did not arrive\./);
      const enabled = said((await run("enable", "marigold")).stderr);
      expect(enabled).toContain("The subscription is active.");
      expect(enabled).not.toContain("did not arrive");
    });

    it("resume advises a recovery of the time that one may be of, of what was missed longer than that", async () => {
      const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
      missedSince = daysAgo(30);
      const start = () => `gatehouse recoveries start --subscription marigold --since ${missedSince.toISOString()}`;
      expect((await run("resume", "marigold")).stderr).toContain(`Next: ${start()} --socket-directory `);
      missedSince = daysAgo(40);
      const until = new Date(missedSince.getTime() + 31 * 24 * 60 * 60 * 1000).toISOString();
      const { stderr } = await run("resume", "marigold");
      expect(stderr).toContain(
        `Next: for the first 31 days, and then for each later part: ${start()} --until ${until} `,
      );
    });

    it("resume advises a ping, and no recovery yet, where the endpoint has to acknowledge one", async () => {
      resumed = PENDING;
      // By enable, where nothing was missed.
      for (const verb of ["resume", "enable"])
        expect((await run(verb, "marigold")).stderr).toContain("Next: gatehouse subscriptions ping marigold ");
    });

    it("ping ends with 0 when it is acknowledged, and with 1 when it is not", async () => {
      expect((await run("ping", "marigold")).exitCode).toBe(0);
      acknowledges = false;
      const { exitCode, stdout } = await run("ping", "marigold", "--json");
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ state: "pending", ping: { state: "exhausted" } });
    });

    it("ping says what comes next: it again while the subscription is pending, else what was sent", async () => {
      expect(said((await run("ping", "marigold")).stderr)).toContain(
        "Next: gatehouse deliveries list --subscription marigold",
      );
      acknowledges = false;
      expect(said((await run("ping", "marigold")).stderr)).toContain("Next: gatehouse subscriptions ping marigold");
    });

    it("test sends a test event, user.updated unless a type is given, and shows how to see its delivery (R-X317)", async () => {
      const { stdout, stderr } = await run("test", "marigold");
      expect(stub.received.at(-1)).toMatchObject({
        path: "TriggerTestEvent",
        request: { subscriptionId: ID, eventType: "user.updated" },
      });
      expect(stdout).toBe(`event     user.updated (${PING.eventId})\ndelivery  ${PING.id}\n`);
      expect(said(stderr)).toContain("The test event is being sent, and is in the feed.");
      expect(said(stderr)).toContain(`Next: gatehouse deliveries show ${PING.id}`);
    });

    it("test says why an event is not sent, also as JSON", async () => {
      blockedReason = "subscription_paused";
      const given = ["test", "marigold", "--event-type", "client.created"];
      expect(said((await run(...given)).stderr)).toContain("not sent (subscription paused), but it is in the feed");
      expect(JSON.parse((await run(...given, "--json")).stdout)).toEqual({
        subscriptionId: ID,
        eventType: "client.created",
        eventId: PING.eventId,
        deliveryId: PING.id,
        skippedReason: "subscription_paused",
      });
    });

    it("delete asks first, and needs --yes in a script", async () => {
      expect((await run("delete", "marigold")).exitCode).toBe(2);
      expect(last()).toEqual({ subscriptionId: ID });
      expect(stub.received.at(-1)?.path).toBe("GetSubscription");
      const { stderr } = await run("delete", "marigold", "--yes");
      expect(stub.received.at(-1)?.path).toBe("DeleteSubscription");
      expect(stderr).toContain("The subscription is deleted.");
    });

    it("secrets are listed, rotated with an overlap and revoked by number", async () => {
      const { stdout } = await run("secrets", "list", "marigold");
      expect(stdout).toMatch(/^3 +v1a +2026-11-20.* current +whpk_/m);
      expect(stdout).toMatch(/^1 +v1 +2026-11-20.* 2026-11-21/m);
      const rotated = await run("secrets", "rotate", "marigold", "--overlap", "7d");
      expect(last()).toMatchObject({ kind: SecretKind.SYMMETRIC, overlapSeconds: 604_800, secret: null });
      expect(rotated.stdout).toMatch(/^signing secret +whsec_another-secret$/m);
      const own = await run("secrets", "rotate", "marigold", "--secret-file", await file("own", "whsec_own\n"));
      expect(last()).toMatchObject({ overlapSeconds: null, secret: "whsec_own" });
      expect(own.stdout).not.toContain("whsec_");
      await run("secrets", "rotate", "marigold", "--asymmetric");
      expect(last()).toMatchObject({ kind: SecretKind.ASYMMETRIC });
      await run("secrets", "revoke", "marigold", "--number", "1");
      expect(last()).toEqual({ subscriptionId: ID, number: 1, ifMatch: null });
    });

    it("list has the names of more than one question asks for", async () => {
      const ids = Array.from({ length: 1_001 }, (_, number) => `installation_${String(number).padStart(21, "0")}`);
      const asked: number[] = [];
      const { run: list } = await openStub(closeLater, {
        webhooks: {
          listSubscriptions: async () => ({
            subscriptions: ids.map((instanceIntegrationId) => ({ ...SUBSCRIPTION, instanceIntegrationId })),
          }),
        },
        workforce: {
          readNames: async ({ ids: some }) => {
            asked.push(some.length);
            return { names: some.map((id) => ({ id, name: `Number ${Number(id.slice(-4))}`, details: [] })) };
          },
        },
      });
      const { stdout } = await list(["subscriptions", "list"]);
      expect(asked).toEqual([500, 500, 1]);
      expect(stdout).not.toContain("installation_");
      expect(stdout).toMatch(/ Number 1000 /);
    });
  });
});
