import { SecretKind, SubscriptionState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { parseSigningSecret, signingSecretRow } from "../../../src/webhooks/secrets/signing-secret.ts";
import { eachStore } from "../../support/stores.ts";
import {
  INSTANCE_ID,
  INSTANCE_INTEGRATION_ID,
  INTEGRATION_ID,
  MASTER_KEY,
  openKit,
  TENANT_ID,
  UNCONFIGURED_ID,
  type WebhooksKit,
} from "../webhooks-kit.ts";

const REQUEST = {
  label: "marigold",
  instanceIntegrationId: INSTANCE_INTEGRATION_ID,
  endpointUrl: "https://hooks.example/in",
  eventTypes: ["user.*", "client.created", "user.*"],
  tenantIds: [TENANT_ID, TENANT_ID],
};

eachStore((_, open) => {
  describe("CreateSubscription (R-E9)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    it("makes an active subscription and returns its secret once", async () => {
      const { subscription, signingSecret } = await kit.operator.createSubscription(REQUEST);
      expect(subscription).toEqual({
        ...REQUEST,
        id: expect.stringMatching(/^subscription_[A-Za-z0-9]{21}$/),
        entityTag: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        eventTypes: ["user.*", "client.created"],
        tenantIds: [TENANT_ID],
        state: SubscriptionState.ACTIVE,
        stateReason: null,
        createdAt: kit.clock.now(),
        description: "",
        extraHeaders: [],
        secrets: [
          { number: 1, kind: SecretKind.SYMMETRIC, createdAt: kit.clock.now(), expiresAt: null, publicKey: null },
        ],
        integrationId: INTEGRATION_ID,
        updatedAt: kit.clock.now(),
        stateSince: kit.clock.now(),
      });
      expect(parseSigningSecret(signingSecret)).toHaveLength(32);
      expect((await kit.operator.listSubscriptions({ states: [] })).subscriptions).toEqual([subscription]);
    });

    it("keeps copies of instance and integration, and the secret sealed and bound to its row", async () => {
      const { subscription, signingSecret } = await kit.operator.createSubscription(REQUEST);
      const row = await kit.tables.selectFrom("webhooks_subscriptions").selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ instance_id: INSTANCE_ID, integration_id: INTEGRATION_ID });
      const { sealed } = await kit.tables.selectFrom("webhooks_signing_secrets").selectAll().executeTakeFirstOrThrow();
      const sealer = createSealer([MASTER_KEY], systemRandom);
      expect(sealer.open(sealed, signingSecretRow(subscription?.id ?? "", 1))).toEqual(
        parseSigningSecret(signingSecret),
      );
      expect(() => sealer.open(sealed, signingSecretRow(newId("subscription", systemRandom), 1))).toThrow();
    });

    it("lists all, oldest first, and never a secret", async () => {
      for (const label of ["c", "a", "b"]) {
        kit.clock.step(1);
        await kit.subscribe({ label });
      }
      const answer = await kit.operator.listSubscriptions({ states: [] });
      expect(answer.subscriptions.map(({ label }) => label)).toEqual(["c", "a", "b"]);
      expect(JSON.stringify(answer)).not.toContain("whsec_");
    });

    it("lists the one with a label, or none", async () => {
      await kit.subscribe({ label: "one" });
      await kit.subscribe({ label: "one-more" });
      const labels = async (label: string) =>
        (await kit.operator.listSubscriptions({ label, states: [] })).subscriptions.map((found) => found.label);
      expect([await labels("one"), await labels("on"), await labels("%")]).toEqual([["one"], [], []]);
    });

    it("lists what a filter asks for, by every page size", async () => {
      await kit.subscribe({ label: "payroll-one", endpointUrl: "https://Payroll.example/in", tenantIds: [TENANT_ID] });
      kit.clock.step(1);
      const { id } = await kit.subscribe({ label: "payroll-two", tenantIds: [] });
      kit.clock.step(1);
      await kit.subscribe({ label: "clock", tenantIds: [] });
      await kit.subscriptions.pauseSubscription({ subscriptionId: id });
      const filters = [
        { labelContains: "payroll" },
        { labelContains: "%" },
        { endpointUrlContains: "//payroll.example/" },
        { endpointUrlContains: "" },
        { tenantId: TENANT_ID },
        { states: [SubscriptionState.PAUSED] },
        { states: [SubscriptionState.PAUSED, SubscriptionState.ACTIVE], labelContains: "-" },
        { integrationId: INTEGRATION_ID },
        { integrationId: newId("integration", systemRandom) },
      ];
      const labels = async (limit: number | null) => {
        const lists = [];
        for (const filter of filters) {
          const found: string[] = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof kit.operator.listSubscriptions>> =
              await kit.operator.listSubscriptions({ states: [], ...filter, limit, cursor });
            found.push(...page.subscriptions.map(({ label }) => label));
            cursor = page.nextCursor ?? null;
          } while (cursor !== null);
          lists.push(found);
        }
        return lists;
      };
      const all = ["payroll-one", "payroll-two", "clock"];
      const expected = [
        ["payroll-one", "payroll-two"],
        [],
        ["payroll-one"],
        all,
        ["payroll-one"],
        ["payroll-two"],
        ["payroll-one", "payroll-two"],
        all,
        [],
      ];
      expect([await labels(null), await labels(1), await labels(2), await labels(500)]).toEqual(
        Array(4).fill(expected),
      );
    });

    it("goes through more subscriptions than one reading has", async () => {
      await kit.subscribe({ label: "first" });
      await kit.multiply(1_200);
      kit.clock.step(10_000);
      await kit.subscribe({ label: "the-last-one" });
      const found = await kit.operator.listSubscriptions({ states: [], labelContains: "the-last", limit: 1 });
      expect([found.subscriptions.map(({ label }) => label), found.nextCursor]).toEqual([["the-last-one"], null]);
    });

    it("names every wrong field of a filter at once", async () => {
      const wrong = {
        states: [SubscriptionState.UNSPECIFIED],
        tenantId: "x",
        integrationId: "y",
        limit: 0,
        cursor: "z",
      };
      await expect(kit.operator.listSubscriptions(wrong)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: ["states", "integration_id", "tenant_id", "limit", "cursor"].map((field) =>
          expect.objectContaining({ field }),
        ),
      });
    });

    it("names every wrong field at once", async () => {
      const wrong = {
        label: "M",
        instanceIntegrationId: "x",
        endpointUrl: "http://10.0.0.1",
        eventTypes: ["*", "nope"],
        tenantIds: ["y"],
      };
      const refused = await kit.operator
        .createSubscription({ ...wrong, endpointUrl: "ftp://x" })
        .catch((error) => error);
      expect(refused.code).toBe("INVALID_ARGUMENT");
      expect(refused.violations.map(({ field }: { field: string }) => field)).toEqual([
        "label",
        "instance_integration_id",
        "endpoint_url",
        "event_types[1]",
        "tenant_ids[0]",
      ]);
      await expect(kit.operator.createSubscription(wrong)).rejects.toThrow(/endpoint_url must not be an address/);
      await expect(kit.operator.createSubscription({ ...REQUEST, eventTypes: [] })).rejects.toThrow(
        /event_types must be 1 to 100/,
      );
    });

    it("refuses a port of another service, and names the field (S44, R-X141)", async () => {
      const refused = await kit.operator
        .createSubscription({ ...REQUEST, endpointUrl: "https://hooks.example:5432/" })
        .catch((error) => error);
      expect([refused.code, refused.violations]).toEqual([
        "INVALID_ARGUMENT",
        [{ field: "endpoint_url", reason: expect.stringContaining("must have port 443") }],
      ]);
    });

    it("refuses an unknown or unconfigured instance integration (R-X40)", async () => {
      const unknown = { ...REQUEST, instanceIntegrationId: newId("instanceIntegration", systemRandom) };
      await expect(kit.operator.createSubscription(unknown)).rejects.toMatchObject({
        code: "NOT_FOUND",
        reason: "instance_integration_not_found",
      });
      await expect(
        kit.operator.createSubscription({ ...REQUEST, instanceIntegrationId: UNCONFIGURED_ID }),
      ).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "instance_integration_not_configured",
      });
      expect((await kit.operator.listSubscriptions({ states: [] })).subscriptions).toEqual([]);
    });

    it("of several requests at once for one label, one gets it", async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 5 }, () => kit.operator.createSubscription(REQUEST)),
      );
      const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(refusals.map(({ code, reason }) => [code, reason])).toEqual(
        Array.from({ length: 4 }, () => ["ALREADY_EXISTS", "label_taken"]),
      );
      expect((await kit.operator.listSubscriptions({ states: [] })).subscriptions).toHaveLength(1);
    });
  });
});
