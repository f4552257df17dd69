import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Application,
  ApplicationKind,
  ConsentPolicy,
  type CreateApplicationRequest,
  type SetPasswordRequest,
} from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import {
  type CreateSubscriptionRequest,
  type Delivery,
  DeliveryState,
  type ListDeliveriesRequest,
  SubscriptionState,
} from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type ApiKey, ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { idOf, openStub, type StubGatehouse } from "../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const INSTANCE = { id: idOf("instance"), name: "Europe", createdAt: AT };
const OTHER_INSTANCE = { id: idOf("instance", "N"), name: "North America", createdAt: AT };
const INTEGRATION = { id: idOf("integration"), name: "Marigold", createdAt: AT };
const OTHER_INTEGRATION = idOf("integration", "B");
const CONNECTION = {
  id: idOf("installation"),
  integrationId: INTEGRATION.id,
  instance: INSTANCE,
  configured: false,
  createdAt: AT,
  updatedAt: AT,
};
const KEY: ApiKey = {
  id: idOf("apikey"),
  integrationId: INTEGRATION.id,
  label: "Payroll",
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  rateLimit: null,
  scopes: [ApiKeyScope.READ],
};
const DELIVERY: Delivery = {
  id: idOf("delivery"),
  eventId: idOf("event"),
  eventType: "user.updated",
  subscriptionId: idOf("subscription"),
  subscriptionLabel: "marigold",
  state: DeliveryState.PENDING,
  reason: null,
  createdAt: AT,
  dueAt: new Date("2026-11-20T10:55:00.000Z"),
  attempts: [
    {
      round: 1,
      attemptNumber: 1,
      startedAt: AT,
      finishedAt: AT,
      outcome: "refused",
      httpStatus: 500,
      durationMs: 13,
      endpoint: "https://hooks.example/in",
      answer: "Out of\u001b[31m order",
    },
  ],
  bodyRemoved: false,
};

/** Its body is gone. */
const OLD = `${DELIVERY.id.slice(0, -1)}9`;

describe("operators' commands", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        platform: {
          // A page each, so that what looks for one reads all pages.
          listInstances: async ({ after }) =>
            after === null
              ? { instances: [INSTANCE], next: { createdAt: AT, id: INSTANCE.id } }
              : { instances: [OTHER_INSTANCE], next: null },
        },
        workforce: {
          // A page each, so that what looks for one reads all pages.
          listIntegrations: async ({ after }) =>
            after === null
              ? {
                  integrations: [{ integration: INTEGRATION, instanceIntegrations: [CONNECTION] }],
                  next: { createdAt: AT, id: INTEGRATION.id },
                }
              : {
                  integrations: [
                    {
                      integration: { ...INTEGRATION, id: OTHER_INTEGRATION, name: "Paytide" },
                      instanceIntegrations: [],
                    },
                  ],
                  next: null,
                },
          connectIntegration: async () => ({ instanceIntegration: CONNECTION }),
          issueApiKey: async () => ({ apiKey: KEY, secret: "ghk_the-secret" }),
          revokeApiKey: async () => ({ apiKey: { ...KEY, revokedAt: AT } }),
          updateIntegration: async ({ name }) => ({ integration: { ...INTEGRATION, name } }),
          configureInstanceIntegration: async ({ configured }) => ({
            instanceIntegration: { ...CONNECTION, configured },
          }),
          revokeInstanceIntegration: async () => ({ instanceIntegration: CONNECTION }),
          listApiKeys: async ({ integrationId }) => {
            const limited = [
              KEY,
              { ...KEY, lastUsedAt: AT, rateLimit: { perSecond: 20, burst: 40 } },
              { ...KEY, rateLimit: { perSecond: 0, burst: 0 } },
            ];
            const ended = [KEY, { ...KEY, revokedAt: AT }, { ...KEY, expiresAt: AT }];
            return { apiKeys: integrationId === OTHER_INTEGRATION ? limited : ended, next: null };
          },
        },
        signOn: {
          createApplication: async (request) => ({
            application: {
              ...request,
              id: idOf("app"),
              createdAt: AT,
              updatedAt: AT,
              disabledAt: null,
              refreshRepeatSeconds: request.refreshRepeatSeconds ?? 30,
              previousSecretExpiresAt: null,
              previousSecretLastUsedAt: null,
            },
            secret: request.kind === ApplicationKind.WEB ? "ghs_the-secret" : null,
          }),
          listApplications: async () => ({ applications: [], nextCursor: null }),
          setPassword: async () => ({}),
        },
        webhooks: {
          createSubscription: async (request) => ({
            subscription: {
              ...request,
              id: idOf("subscription"),
              state: SubscriptionState.ACTIVE,
              stateReason: null,
              createdAt: AT,
              description: "",
              extraHeaders: [],
              secrets: [],
              integrationId: INTEGRATION.id,
              updatedAt: AT,
              stateSince: AT,
              entityTag: "q83vEjRWeJCrze8BI0VniQ",
            },
            signingSecret: "whsec_the-secret",
          }),
          listDeliveries: async ({ cursor, deliveryId }) => ({
            deliveries: cursor ? [] : [{ ...DELIVERY, bodyRemoved: deliveryId === OLD }],
            nextCursor: cursor ? null : "next-page",
          }),
        },
      });
    });

    const lastRequest = <T>() => stub.received.at(-1)?.request as T;

    it("lists integrations with a row per instance integration, and those without any", async () => {
      const { stdout } = await stub.run(["integrations", "list"]);
      expect(stdout.split("\n").slice(1)).toEqual([
        `Marigold     ${INTEGRATION.id}  Europe    ${CONNECTION.id}  no`,
        `Paytide      ${idOf("integration", "B")}  –         –                                   –`,
        "",
      ]);
    });

    it("connects an integration with an instance by their names", async () => {
      await stub.run(["integrations", "connect", "--integration", "marigold", "--instance", "Europe", "--configured"]);
      expect(lastRequest()).toMatchObject({ integrationId: INTEGRATION.id, instanceId: INSTANCE.id, configured: true });
    });

    it("shows a key's secret once, with a sentence, and in JSON", async () => {
      const words = [
        "api-keys",
        "issue",
        "--integration",
        "Marigold",
        "--label",
        "Payroll",
        "--expires-at",
        "2027-01-31",
        "--rate-limit",
        "20/40",
      ];
      const { stdout, stderr } = await stub.run(words);
      expect(lastRequest()).toEqual({
        integrationId: INTEGRATION.id,
        label: "Payroll",
        expiresAt: new Date("2027-01-31T00:00:00.000Z"),
        checkOnly: null,
        rateLimit: { perSecond: 20, burst: 40 },
        scopes: [ApiKeyScope.READ],
        requestId: expect.stringMatching(/^req_/),
      });
      expect(stdout).toMatch(/^secret +ghk_the-secret$/m);
      expect(stderr).toContain("Its secret is shown this once and stored nowhere");
      expect(stderr).not.toContain("ghk_the-secret");
      const { stdout: json } = await stub.run([...words, "--json"]);
      expect(JSON.parse(json)).toMatchObject({
        id: KEY.id,
        label: "Payroll",
        expiresAt: null,
        secret: "ghk_the-secret",
      });
    });

    it("distinguishes live, revoked and expired keys", async () => {
      const { stdout } = await stub.run(["api-keys", "list", "--integration", INTEGRATION.id]);
      expect([...stdout.matchAll(/live|revoked 2026-11-20 10:54 UTC|expired 2026-11-20 10:54 UTC/g)]).toHaveLength(3);
    });

    it("shows when keys were last used, and their limits (R-G12)", async () => {
      const { stdout } = await stub.run(["api-keys", "list", "--integration", OTHER_INTEGRATION]);
      expect(
        stdout
          .split("\n")
          .slice(1)
          .map((line) => line.split(/ {2,}/).slice(-2)),
      ).toEqual([["never", "default"], ["2026-11-20 10:54 UTC", "20/40"], ["never", "none"], [""]]);
    });

    it("lists those of all integrations with their names, however many pages they are", async () => {
      const pages = new Map([
        ["", { apiKeys: [KEY], next: { createdAt: AT, id: KEY.id } }],
        [KEY.id, { apiKeys: [{ ...KEY, integrationId: OTHER_INTEGRATION }], next: null }],
      ]);
      const names = [{ id: OTHER_INTEGRATION, name: "Paytide", details: [] }];
      const all = await openStub(closeLater, {
        workforce: {
          listApiKeys: async ({ after }) => present(pages.get(after?.id ?? "")),
          readNames: async () => ({ names }),
        },
      });
      const { stdout } = await all.run(["api-keys", "list"]);
      const cells = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 2));
      expect(cells.slice(1)).toEqual([["Payroll", INTEGRATION.id], ["Payroll", "Paytide"], [""]]);
    });

    it("asks for those that expire soon, and says when there are none", async () => {
      const asked: (Date | null | undefined)[] = [];
      const none = await openStub(closeLater, {
        workforce: {
          listApiKeys: async ({ expiresBefore }) => {
            asked.push(expiresBefore);
            return { apiKeys: [], next: null };
          },
        },
      });
      const { stderr } = await none.run(["api-keys", "list", "--expires-before", "2026-12-24"]);
      const { stderr: anyKey } = await none.run(["api-keys", "list"]);
      expect(asked).toEqual([new Date("2026-12-24"), null]);
      expect(stderr).toContain("No key that is accepted now expires before then.");
      expect(anyKey).toContain("There are no API keys yet.");
    });

    it("refuses an invalid limit", async () => {
      const words = ["api-keys", "issue", "--integration", INTEGRATION.id, "--label", "x", "--rate-limit", "fast"];
      const { exitCode, stderr } = await stub.run(words);
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain("like 20/40, or none");
    });

    it("revokes a key by its public id", async () => {
      const { exitCode, stderr } = await stub.run(["api-keys", "revoke", KEY.id]);
      expect(exitCode).toBe(0);
      expect(lastRequest()).toEqual({ apiKeyId: KEY.id });
      expect(stderr).toContain("every request that starts now is refused");
    });

    it("renames an integration that is given by its name", async () => {
      const { stdout, stderr } = await stub.run(["integrations", "rename", "Marigold", "--name", "Tagetes"]);
      expect(lastRequest()).toMatchObject({ integrationId: INTEGRATION.id, updateMask: ["name"], name: "Tagetes" });
      expect(stdout).toMatch(/^name +Tagetes$/m);
      expect(stderr).toContain("The integration is renamed.");
    });

    it.each([
      ["configure", { configured: true }, "The instance integration is configured."],
      ["unconfigure", { configured: false }, "The instance integration is no longer configured"],
      ["revoke", {}, "The instance integration is revoked"],
    ])("%ss an instance integration by its public id", async (command, asked, said) => {
      const yes = command === "revoke" ? ["--yes"] : [];
      const words = ["integrations", command, CONNECTION.id, "--request-id", "once"];
      const { exitCode, stderr } = await stub.run([...words, ...yes]);
      expect(exitCode).toBe(0);
      expect(lastRequest()).toEqual({ requestId: "once", instanceIntegrationId: CONNECTION.id, ...asked });
      expect(stderr).toContain(said);
    });

    it("revokes an instance integration only with --yes in a script (R-X202)", async () => {
      const { exitCode, stderr } = await stub.run(["integrations", "revoke", CONNECTION.id]);
      expect(exitCode).toBe(2);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
        /^gatehouse: This ends installation_\w+ for good: .+ API keys stay\. Nothing was changed\./,
      );
    });

    it.each([[[]], [["--ids"]]])("says once which instance integration it would revoke, with %j", async (more) => {
      const names = [{ id: CONNECTION.id, name: "Marigold on Europe", details: [] }];
      const named = await openStub(closeLater, { workforce: { readNames: async () => ({ names }) } });
      const { stderr } = await named.run(["integrations", "revoke", CONNECTION.id, ...more]);
      expect(stderr).toContain(`This ends Marigold on Europe (${CONNECTION.id}) for good`);
    });

    it.each([
      ["refused", `gatehouse deliveries show ${DELIVERY.id}`],
      ["in_flight", ""],
      ["acknowledged", ""],
    ])("names at the end of a list the delivery that failed last, if its attempt is %s", async (outcome, next) => {
      const attempts = DELIVERY.attempts.map((attempt) => ({ ...attempt, outcome }));
      const listing = await openStub(closeLater, {
        webhooks: { listDeliveries: async () => ({ deliveries: [{ ...DELIVERY, attempts }], nextCursor: null }) },
      });
      const { stderr } = await listing.run(["deliveries", "list"]);
      expect(/gatehouse deliveries show \S+/.exec(stderr)?.[0] ?? "").toBe(next);
    });

    it("prints the body of a delivery, and nothing that moves a terminal's cursor (R-X404)", async () => {
      const event = { id: "event_1", type: "user.updated", data: { fullName: "Maren\u001b[31m Dahl\u202e" } };
      const body = Buffer.from(JSON.stringify(event));
      const { id } = DELIVERY;
      const revealing = await openStub(closeLater, {
        webhooks: { revealBody: async () => ({ deliveryId: id, eventType: "user.updated", body }) },
      });
      const { stdout, stderr } = await revealing.run(["deliveries", "reveal", id]);
      const { stdout: json } = await revealing.run(["deliveries", "reveal", id, "--json"]);
      expect(JSON.parse(stdout)).toEqual({ ...event, data: { fullName: "Maren\u001b[31m Dahl " } });
      expect([stdout.includes("\u001b"), stdout.includes("\u202e")]).toEqual([false, false]);
      expect(stderr).toContain("The audit log has that it was looked at.");
      expect(JSON.parse(json)).toEqual({ id, eventType: "user.updated", body: event });
    });

    it("cancels suspended deliveries only with --yes in a script (R-X202)", async () => {
      const { exitCode, stderr } = await stub.run(["deliveries", "release", "--cancel"]);
      expect(exitCode).toBe(2);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
        /^gatehouse: This cancels every suspended delivery for good: .+ Nothing was changed\. Add --yes if/,
      );
    });

    it("registers an application with one instance for all redirect URIs, and common defaults", async () => {
      const words = ["applications", "create", "--name", "Marigold", "--instance", "Europe"];
      const { stdout } = await stub.run([
        ...words,
        "--redirect-uri",
        "https://a.example/cb",
        "--redirect-uri",
        "https://b.example/cb",
        "--json",
      ]);
      expect(lastRequest<CreateApplicationRequest>()).toMatchObject({
        kind: ApplicationKind.WEB,
        redirectUris: [
          { uri: "https://a.example/cb", instanceId: INSTANCE.id },
          { uri: "https://b.example/cb", instanceId: INSTANCE.id },
        ],
        scopes: ["openid", "profile", "email"],
        pkceRequired: false,
        consent: ConsentPolicy.ONCE,
        lifetimes: { accessTokenSeconds: null },
      });
      expect(JSON.parse(stdout)).toMatchObject({
        id: idOf("app"),
        kind: "web",
        consent: "once",
        secret: "ghs_the-secret",
      } satisfies Partial<Record<keyof Application | "secret", unknown>>);
    });

    it("pairs redirect URIs with instances in their order", async () => {
      const words = [
        "applications",
        "create",
        "--name",
        "a",
        "--kind",
        "native",
        "--redirect-uri",
        "com.a.b:/x",
        "--redirect-uri",
        "com.a.c:/x",
      ];
      const { stdout } = await stub.run([
        ...words,
        "--instance",
        "Europe",
        "--instance",
        "North America",
        "--access-token-seconds",
        "600",
      ]);
      expect(lastRequest<CreateApplicationRequest>()).toMatchObject({
        redirectUris: [
          { uri: "com.a.b:/x", instanceId: INSTANCE.id },
          { uri: "com.a.c:/x", instanceId: OTHER_INSTANCE.id },
        ],
        lifetimes: { accessTokenSeconds: 600 },
      });
      expect(stdout).toMatch(/^secret +none \(public application\)$/m);
      const three = await stub.run([...words, "--instance", "Europe", "--instance", "Europe", "--instance", "Europe"]);
      expect(three).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("There are 2 --redirect-uri and 3 --instance."),
      });
    });

    it("subscribes to everything by default", async () => {
      const words = ["subscriptions", "create", "--label", "marigold", "--instance-integration", CONNECTION.id];
      const { stdout } = await stub.run([...words, "--endpoint-url", "https://a.example/hooks"]);
      expect(lastRequest<CreateSubscriptionRequest>()).toEqual({
        checkOnly: null,
        label: "marigold",
        instanceIntegrationId: CONNECTION.id,
        endpointUrl: "https://a.example/hooks",
        eventTypes: ["*"],
        tenantIds: [],
        options: { description: "", extraHeaders: [], pingFirst: true, signingSecret: null, asymmetric: false },
      });
      expect(stdout).toMatch(/^signing secret +whsec_the-secret$/m);
    });

    it("lists deliveries with their last attempt and the command for the next page", async () => {
      const { stdout, stderr } = await stub.run([
        "deliveries",
        "list",
        "--state",
        "pending",
        "exhausted",
        "--limit",
        "1",
      ]);
      expect(lastRequest<ListDeliveriesRequest>()).toEqual({
        subscriptionId: null,
        states: [DeliveryState.PENDING, DeliveryState.EXHAUSTED],
        limit: 1,
        cursor: null,
        deliveryId: null,
        eventId: null,
        eventType: null,
        tenantId: null,
        from: null,
        to: null,
      });
      expect(stdout).toContain(
        "user.updated  pending, next attempt 2026-11-20 10:55 UTC  1: hooks.example refused it with 500, in 13 ms  marigold",
      );
      expect(stderr).toContain(
        "Next: gatehouse deliveries list --state pending --state exhausted --limit 1 --cursor next-page",
      );
    });

    it("lists deliveries of a type and a time, and says how to go on", async () => {
      const flags = ["--type", "user.updated", "--since", "2026-11-01", "--until", "2026-11-02T08:00:00Z"];
      const { stderr } = await stub.run(["deliveries", "list", ...flags, "--limit", "1"]);
      expect(lastRequest<ListDeliveriesRequest>()).toMatchObject({
        eventType: "user.updated",
        from: new Date("2026-11-01T00:00:00Z"),
        to: new Date("2026-11-02T08:00:00Z"),
      });
      const again = "--type user.updated --since 2026-11-01T00:00:00.000Z --until 2026-11-02T08:00:00.000Z";
      expect(stderr).toContain(`Next: gatehouse deliveries list ${again} --limit 1 --cursor next-page`);
    });

    it("lists every attempt in JSON", async () => {
      const { stdout } = await stub.run(["deliveries", "list", "--limit", "1", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({
        deliveries: [
          { id: DELIVERY.id, state: "pending", reason: null, attempts: [{ attemptNumber: 1, httpStatus: 500 }] },
        ],
        nextCursor: "next-page",
      });
    });

    it("says of a delivery whose body is gone that it is, and nothing of one that has it (R-X236)", async () => {
      const shown = async (id: string) => (await stub.run(["deliveries", "show", id])).stdout;
      expect(await shown(OLD)).toMatch(/^body +removed: bodies are kept for webhook-body-days$/m);
      expect(await shown(DELIVERY.id)).not.toContain("body");
      const { stdout } = await stub.run(["deliveries", "show", OLD, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ bodyRemoved: true });
    });

    describe("a password", () => {
      const set = ["passwords", "set", "--person", idOf("person")];

      it.each([
        ["correct horse battery\n", "correct horse battery"],
        ["with spaces at the end  \r\n", "with spaces at the end  "],
        ["two\n\n", "two\n"],
        ["no line break", "no line break"],
      ])("comes from standard input: %j is %j", async (stdin, password) => {
        const { exitCode, stdout, stderr } = await stub.run(set, { stdin });
        expect(exitCode).toBe(0);
        expect(lastRequest<SetPasswordRequest>()).toEqual({ personId: idOf("person"), password });
        expect(stdout + stderr).not.toContain(password);
      });

      it("comes from a file, or one line says why it cannot", async () => {
        const folder = newFolder("gh-password-");
        await writeFile(join(folder, "password"), "out of a file\n");
        await stub.run([...set, "--password-file", join(folder, "password")]);
        expect(lastRequest<SetPasswordRequest>().password).toBe("out of a file");
        const missing = await stub.run([...set, "--password-file", join(folder, "none")]);
        expect(missing).toMatchObject({
          exitCode: 2,
          stdout: "",
          stderr: expect.stringContaining("cannot be read (ENOENT)"),
        });
      });

      it("is never an argument", async () => {
        const { exitCode } = await stub.run([...set, "correct horse battery"]);
        expect(exitCode).toBe(2);
      });
    });
  });
});
